module @dit {
func.func @main(%condition: tensor<8x4xf32>, %chunk: tensor<8x4xf32> {iree.abi.output = 0 : index}) -> tensor<8x4xf32> {
  %0 = arith.addf %condition, %condition : tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
}
