// What somebody compiles who never heard of us: results in memory of the module's own, plain scalars.
module @foreign {

func.func @shift(%x: tensor<64xf32>, %by: f32, %k: i32, %i: tensor<i32>)
    -> (tensor<64xf32>, tensor<64xi32>, tensor<64xi1>) {
  %s = flow.tensor.splat %by : tensor<64xf32>
  %r = arith.addf %x, %s : tensor<64xf32>
  %v = tensor.extract %i[] : tensor<i32>
  %w = arith.addi %v, %k : i32
  %t = flow.tensor.splat %w : tensor<64xi32>
  %c = arith.cmpf ogt, %x, %s : tensor<64xf32>
  return %r, %t, %c : tensor<64xf32>, tensor<64xi32>, tensor<64xi1>
}

// Bare storage (!hal.buffer) for one output, none for the other.
func.func @half(%x: tensor<64xbf16>, %storage: !hal.buffer {iree.abi.output = 1 : index})
    -> (tensor<64xbf16>, tensor<64xbf16>) {
  %r = arith.addf %x, %x : tensor<64xbf16>
  %q = arith.mulf %x, %x : tensor<64xbf16>
  return %r, %q : tensor<64xbf16>, tensor<64xbf16>
}

func.func @count() -> tensor<i32> {
  %c = arith.constant dense<7> : tensor<i32>
  %b = util.optimization_barrier %c : tensor<i32>
  return %b : tensor<i32>
}

func.func @quiet(%x: tensor<64xf32>) {
  return
}

// Nothing says that the cache may be overwritten.
func.func @careless(%cache: tensor<256x64xf32>, %row: tensor<1x64xf32>,
                    %storage: tensor<256x64xf32> {iree.abi.output = 0 : index}) -> tensor<256x64xf32> {
  %0 = tensor.insert_slice %row into %cache[3, 0] [1, 64] [1, 1] : tensor<1x64xf32> into tensor<256x64xf32>
  return %0 : tensor<256x64xf32>
}
}
