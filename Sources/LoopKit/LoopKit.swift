// LoopKit
