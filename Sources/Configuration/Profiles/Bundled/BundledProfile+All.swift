// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    /// In the order of their names.
    package static let all: [BundledProfile] = [
        BundledProfile(name: "alipay", text: alipay),
        BundledProfile(name: "aliyun-acs3", text: aliyunAcs3),
        BundledProfile(name: "aliyun-api-gateway", text: aliyunApiGateway),
        BundledProfile(name: "aliyun-oss", text: aliyunOss),
        BundledProfile(name: "aliyun-roa", text: aliyunRoa),
        BundledProfile(name: "aliyun-rpc", text: aliyunRpc),
        BundledProfile(name: "aws-s3", text: awsS3),
        BundledProfile(name: "aws-sigv4", text: awsSigv4),
        BundledProfile(name: "azure-cosmos", text: azureCosmos),
        BundledProfile(name: "azure-sharedkey", text: azureSharedkey),
        BundledProfile(name: "binance", text: binance),
        BundledProfile(name: "citydo", text: citydo),
        BundledProfile(name: "coinbase", text: coinbase),
        BundledProfile(name: "dingtalk-bot", text: dingtalkBot),
        BundledProfile(name: "feishu-bot", text: feishuBot),
        BundledProfile(name: "gateio", text: gateio),
        BundledProfile(name: "http-signature", text: httpSignature),
        BundledProfile(name: "huawei", text: huawei),
        BundledProfile(name: "jeecgboot", text: jeecgboot),
        BundledProfile(name: "kraken", text: kraken),
        BundledProfile(name: "oauth2-password", text: oauth2Password),
        BundledProfile(name: "oauth2-refresh", text: oauth2Refresh),
        BundledProfile(name: "oauth2", text: oauth2),
        BundledProfile(name: "respinfo", text: respinfo),
        BundledProfile(name: "ruoyi", text: ruoyi),
        BundledProfile(name: "taobao-top", text: taobaoTop),
        BundledProfile(name: "tencent-tc3", text: tencentTc3),
        BundledProfile(name: "tpshop", text: tpshop),
        BundledProfile(name: "volcengine", text: volcengine),
        BundledProfile(name: "webhook-github", text: webhookGithub),
        BundledProfile(name: "webhook-slack", text: webhookSlack),
        BundledProfile(name: "webhook-standard", text: webhookStandard),
        BundledProfile(name: "webhook-stripe", text: webhookStripe),
        BundledProfile(name: "wechatpay-v2", text: wechatpayV2),
        BundledProfile(name: "wechatpay-v3", text: wechatpayV3),
    ]
}
