// Two entries that do not fit together as stages.
module @pair {
func.func @main(%seed: tensor<4xf32>, %hidden: tensor<4xf32> {iree.abi.output = 0 : index}) -> tensor<4xf32> {
  %0 = arith.addf %seed, %seed : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @other(%hidden: tensor<8xf32>, %more: tensor<8xf32> {iree.abi.output = 0 : index}) -> tensor<8xf32> {
  %0 = arith.addf %hidden, %hidden : tensor<8xf32>
  return %0 : tensor<8xf32>
}
}
