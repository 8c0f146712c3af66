/// The server-side list of actions that need a token; everything else is anonymous.
enum ShopTokenList {
    private static let actions: Set<String> = [
        "payment/alipaynotify", "user/userinfo", "user/updateuserinfo", "user/password", "user/getaddresslist",
        "user/addaddress", "user/del_address", "user/setdefaultaddress", "user/getcouponlist", "user/getgoodscollect",
        "user/getorderlist", "user/getorderdetail", "user/cancelorder", "user/orderconfirm", "user/add_comment",
        "user/account", "user/return_goods_list", "user/return_goods_info", "user/return_goods_status",
        "user/return_goods", "cart/cart2", "cart/cart3", "goods/collectgoods",
    ]

    /// Both in lower case.
    static func needsToken(controller: [UInt8], action: [UInt8]) -> Bool {
        actions.contains(String(decoding: controller + [0x2F] + action, as: UTF8.self))
    }
}
