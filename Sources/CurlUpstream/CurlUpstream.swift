// CurlUpstream
