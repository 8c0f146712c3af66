// DemoUpstream
