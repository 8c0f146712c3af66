/// All that the demo remembers: the shop and its faults.
struct DemoState {
    var shop: ShopMachine
    var faults = DemoFaults()

    init(options: DemoOptions) { shop = ShopMachine(options: options) }
}
