module {
  util.global private @"$coarse.in.b" = #flow.parameter.named<"model"::"coarse.in.b"> : tensor<96xf32>
  util.global private @"$coarse.in.w" = #flow.parameter.named<"model"::"coarse.in.w"> : tensor<192x96xf32>
  util.global private @"$coarse0.b" = #flow.parameter.named<"model"::"coarse0.b"> : tensor<96xf32>
  util.global private @"$coarse0.w" = #flow.parameter.named<"model"::"coarse0.w"> : tensor<864x96xf32>
  util.global private @"$coarse1.b" = #flow.parameter.named<"model"::"coarse1.b"> : tensor<96xf32>
  util.global private @"$coarse1.w" = #flow.parameter.named<"model"::"coarse1.w"> : tensor<864x96xf32>
  util.global private @"$coarse2.b" = #flow.parameter.named<"model"::"coarse2.b"> : tensor<96xf32>
  util.global private @"$coarse2.w" = #flow.parameter.named<"model"::"coarse2.w"> : tensor<864x96xf32>
  util.global private @"$coarse3.b" = #flow.parameter.named<"model"::"coarse3.b"> : tensor<96xf32>
  util.global private @"$coarse3.w" = #flow.parameter.named<"model"::"coarse3.w"> : tensor<864x96xf32>
  util.global private @"$coarse4.b" = #flow.parameter.named<"model"::"coarse4.b"> : tensor<96xf32>
  util.global private @"$coarse4.w" = #flow.parameter.named<"model"::"coarse4.w"> : tensor<864x96xf32>
  util.global private @"$coarse5.b" = #flow.parameter.named<"model"::"coarse5.b"> : tensor<96xf32>
  util.global private @"$coarse5.w" = #flow.parameter.named<"model"::"coarse5.w"> : tensor<864x96xf32>
  util.global private @"$embedding" = #flow.parameter.named<"model"::"embedding"> : tensor<32x96xf32>
  util.global private @"$empty" = #flow.parameter.named<"model"::"empty"> : tensor<64x64xf32>
  util.global private @"$fine.in.b" = #flow.parameter.named<"model"::"fine.in.b"> : tensor<48xf32>
  util.global private @"$fine.in.w" = #flow.parameter.named<"model"::"fine.in.w"> : tensor<96x48xf32>
  util.global private @"$fine0.b" = #flow.parameter.named<"model"::"fine0.b"> : tensor<48xf32>
  util.global private @"$fine0.w" = #flow.parameter.named<"model"::"fine0.w"> : tensor<432x48xf32>
  util.global private @"$fine1.b" = #flow.parameter.named<"model"::"fine1.b"> : tensor<48xf32>
  util.global private @"$fine1.w" = #flow.parameter.named<"model"::"fine1.w"> : tensor<432x48xf32>
  util.global private @"$fine2.b" = #flow.parameter.named<"model"::"fine2.b"> : tensor<48xf32>
  util.global private @"$fine2.w" = #flow.parameter.named<"model"::"fine2.w"> : tensor<432x48xf32>
  util.global private @"$fine3.b" = #flow.parameter.named<"model"::"fine3.b"> : tensor<48xf32>
  util.global private @"$fine3.w" = #flow.parameter.named<"model"::"fine3.w"> : tensor<432x48xf32>
  util.global private @"$full.in.b" = #flow.parameter.named<"model"::"full.in.b"> : tensor<24xf32>
  util.global private @"$full.in.w" = #flow.parameter.named<"model"::"full.in.w"> : tensor<2x24xf32>
  util.global private @"$full0.b" = #flow.parameter.named<"model"::"full0.b"> : tensor<24xf32>
  util.global private @"$full0.w" = #flow.parameter.named<"model"::"full0.w"> : tensor<216x24xf32>
  util.global private @"$full1.b" = #flow.parameter.named<"model"::"full1.b"> : tensor<24xf32>
  util.global private @"$full1.w" = #flow.parameter.named<"model"::"full1.w"> : tensor<216x24xf32>
  util.global private @"$full2.b" = #flow.parameter.named<"model"::"full2.b"> : tensor<24xf32>
  util.global private @"$full2.w" = #flow.parameter.named<"model"::"full2.w"> : tensor<216x24xf32>
  util.global private @"$full3.b" = #flow.parameter.named<"model"::"full3.b"> : tensor<24xf32>
  util.global private @"$full3.w" = #flow.parameter.named<"model"::"full3.w"> : tensor<216x24xf32>
  util.global private @"$full4.b" = #flow.parameter.named<"model"::"full4.b"> : tensor<24xf32>
  util.global private @"$full4.w" = #flow.parameter.named<"model"::"full4.w"> : tensor<216x24xf32>
  util.global private @"$full5.b" = #flow.parameter.named<"model"::"full5.b"> : tensor<24xf32>
  util.global private @"$full5.w" = #flow.parameter.named<"model"::"full5.w"> : tensor<216x24xf32>
  util.global private @"$hidden.b" = #flow.parameter.named<"model"::"hidden.b"> : tensor<64xf32>
  util.global private @"$hidden.w" = #flow.parameter.named<"model"::"hidden.w"> : tensor<96x64xf32>
  util.global private @"$position" = #flow.parameter.named<"model"::"position"> : tensor<256x96xf32>
  util.global private @"$read0.down.b" = #flow.parameter.named<"model"::"read0.down.b"> : tensor<96xf32>
  util.global private @"$read0.down.w" = #flow.parameter.named<"model"::"read0.down.w"> : tensor<192x96xf32>
  util.global private @"$read0.image.b" = #flow.parameter.named<"model"::"read0.image.b"> : tensor<192xf32>
  util.global private @"$read0.image.w" = #flow.parameter.named<"model"::"read0.image.w"> : tensor<96x192xf32>
  util.global private @"$read0.image_out.b" = #flow.parameter.named<"model"::"read0.image_out.b"> : tensor<96xf32>
  util.global private @"$read0.image_out.w" = #flow.parameter.named<"model"::"read0.image_out.w"> : tensor<96x96xf32>
  util.global private @"$read0.query.b" = #flow.parameter.named<"model"::"read0.query.b"> : tensor<96xf32>
  util.global private @"$read0.query.w" = #flow.parameter.named<"model"::"read0.query.w"> : tensor<96x96xf32>
  util.global private @"$read0.self.b" = #flow.parameter.named<"model"::"read0.self.b"> : tensor<288xf32>
  util.global private @"$read0.self.w" = #flow.parameter.named<"model"::"read0.self.w"> : tensor<96x288xf32>
  util.global private @"$read0.self_out.b" = #flow.parameter.named<"model"::"read0.self_out.b"> : tensor<96xf32>
  util.global private @"$read0.self_out.w" = #flow.parameter.named<"model"::"read0.self_out.w"> : tensor<96x96xf32>
  util.global private @"$read0.up.b" = #flow.parameter.named<"model"::"read0.up.b"> : tensor<192xf32>
  util.global private @"$read0.up.w" = #flow.parameter.named<"model"::"read0.up.w"> : tensor<96x192xf32>
  util.global private @"$read1.down.b" = #flow.parameter.named<"model"::"read1.down.b"> : tensor<96xf32>
  util.global private @"$read1.down.w" = #flow.parameter.named<"model"::"read1.down.w"> : tensor<192x96xf32>
  util.global private @"$read1.image.b" = #flow.parameter.named<"model"::"read1.image.b"> : tensor<192xf32>
  util.global private @"$read1.image.w" = #flow.parameter.named<"model"::"read1.image.w"> : tensor<96x192xf32>
  util.global private @"$read1.image_out.b" = #flow.parameter.named<"model"::"read1.image_out.b"> : tensor<96xf32>
  util.global private @"$read1.image_out.w" = #flow.parameter.named<"model"::"read1.image_out.w"> : tensor<96x96xf32>
  util.global private @"$read1.query.b" = #flow.parameter.named<"model"::"read1.query.b"> : tensor<96xf32>
  util.global private @"$read1.query.w" = #flow.parameter.named<"model"::"read1.query.w"> : tensor<96x96xf32>
  util.global private @"$read1.self.b" = #flow.parameter.named<"model"::"read1.self.b"> : tensor<288xf32>
  util.global private @"$read1.self.w" = #flow.parameter.named<"model"::"read1.self.w"> : tensor<96x288xf32>
  util.global private @"$read1.self_out.b" = #flow.parameter.named<"model"::"read1.self_out.b"> : tensor<96xf32>
  util.global private @"$read1.self_out.w" = #flow.parameter.named<"model"::"read1.self_out.w"> : tensor<96x96xf32>
  util.global private @"$read1.up.b" = #flow.parameter.named<"model"::"read1.up.b"> : tensor<192xf32>
  util.global private @"$read1.up.w" = #flow.parameter.named<"model"::"read1.up.w"> : tensor<96x192xf32>
  util.global private @"$readout" = #flow.parameter.named<"model"::"readout"> : tensor<8x96xf32>
  util.global private @"$spot.b" = #flow.parameter.named<"model"::"spot.b"> : tensor<1xf32>
  util.global private @"$spot.w" = #flow.parameter.named<"model"::"spot.w"> : tensor<96x1xf32>
  util.global private @"$spot_in.b" = #flow.parameter.named<"model"::"spot_in.b"> : tensor<96xf32>
  util.global private @"$spot_in.w" = #flow.parameter.named<"model"::"spot_in.w"> : tensor<96x96xf32>
  util.global private @"$word_position" = #flow.parameter.named<"model"::"word_position"> : tensor<16x96xf32>
  func.func public @encode(%arg0: tensor<64x64xf32>, %arg1: tensor<16xi32>, %arg2: tensor<8x64xf32> {iree.abi.output = 0 : index}, %arg3: !hal.buffer {iree.abi.transients}) -> tensor<8x64xf32> attributes {iree.reflection = {polyrhythm.inputs = "depth,instruction", polyrhythm.outputs = "hidden"}} {
    %0:2 = util.optimization_barrier %arg0, %arg1 : tensor<64x64xf32>, tensor<16xi32>
    %$coarse.in.b = util.global.load @"$coarse.in.b" : tensor<96xf32>
    %$coarse.in.w = util.global.load @"$coarse.in.w" : tensor<192x96xf32>
    %$coarse0.b = util.global.load @"$coarse0.b" : tensor<96xf32>
    %$coarse0.w = util.global.load @"$coarse0.w" : tensor<864x96xf32>
    %$coarse1.b = util.global.load @"$coarse1.b" : tensor<96xf32>
    %$coarse1.w = util.global.load @"$coarse1.w" : tensor<864x96xf32>
    %$coarse2.b = util.global.load @"$coarse2.b" : tensor<96xf32>
    %$coarse2.w = util.global.load @"$coarse2.w" : tensor<864x96xf32>
    %$coarse3.b = util.global.load @"$coarse3.b" : tensor<96xf32>
    %$coarse3.w = util.global.load @"$coarse3.w" : tensor<864x96xf32>
    %$coarse4.b = util.global.load @"$coarse4.b" : tensor<96xf32>
    %$coarse4.w = util.global.load @"$coarse4.w" : tensor<864x96xf32>
    %$coarse5.b = util.global.load @"$coarse5.b" : tensor<96xf32>
    %$coarse5.w = util.global.load @"$coarse5.w" : tensor<864x96xf32>
    %$embedding = util.global.load @"$embedding" : tensor<32x96xf32>
    %$empty = util.global.load @"$empty" : tensor<64x64xf32>
    %$fine.in.b = util.global.load @"$fine.in.b" : tensor<48xf32>
    %$fine.in.w = util.global.load @"$fine.in.w" : tensor<96x48xf32>
    %$fine0.b = util.global.load @"$fine0.b" : tensor<48xf32>
    %$fine0.w = util.global.load @"$fine0.w" : tensor<432x48xf32>
    %$fine1.b = util.global.load @"$fine1.b" : tensor<48xf32>
    %$fine1.w = util.global.load @"$fine1.w" : tensor<432x48xf32>
    %$fine2.b = util.global.load @"$fine2.b" : tensor<48xf32>
    %$fine2.w = util.global.load @"$fine2.w" : tensor<432x48xf32>
    %$fine3.b = util.global.load @"$fine3.b" : tensor<48xf32>
    %$fine3.w = util.global.load @"$fine3.w" : tensor<432x48xf32>
    %$full.in.b = util.global.load @"$full.in.b" : tensor<24xf32>
    %$full.in.w = util.global.load @"$full.in.w" : tensor<2x24xf32>
    %$full0.b = util.global.load @"$full0.b" : tensor<24xf32>
    %$full0.w = util.global.load @"$full0.w" : tensor<216x24xf32>
    %$full1.b = util.global.load @"$full1.b" : tensor<24xf32>
    %$full1.w = util.global.load @"$full1.w" : tensor<216x24xf32>
    %$full2.b = util.global.load @"$full2.b" : tensor<24xf32>
    %$full2.w = util.global.load @"$full2.w" : tensor<216x24xf32>
    %$full3.b = util.global.load @"$full3.b" : tensor<24xf32>
    %$full3.w = util.global.load @"$full3.w" : tensor<216x24xf32>
    %$full4.b = util.global.load @"$full4.b" : tensor<24xf32>
    %$full4.w = util.global.load @"$full4.w" : tensor<216x24xf32>
    %$full5.b = util.global.load @"$full5.b" : tensor<24xf32>
    %$full5.w = util.global.load @"$full5.w" : tensor<216x24xf32>
    %$hidden.b = util.global.load @"$hidden.b" : tensor<64xf32>
    %$hidden.w = util.global.load @"$hidden.w" : tensor<96x64xf32>
    %$position = util.global.load @"$position" : tensor<256x96xf32>
    %$read0.down.b = util.global.load @"$read0.down.b" : tensor<96xf32>
    %$read0.down.w = util.global.load @"$read0.down.w" : tensor<192x96xf32>
    %$read0.image.b = util.global.load @"$read0.image.b" : tensor<192xf32>
    %$read0.image.w = util.global.load @"$read0.image.w" : tensor<96x192xf32>
    %$read0.image_out.b = util.global.load @"$read0.image_out.b" : tensor<96xf32>
    %$read0.image_out.w = util.global.load @"$read0.image_out.w" : tensor<96x96xf32>
    %$read0.query.b = util.global.load @"$read0.query.b" : tensor<96xf32>
    %$read0.query.w = util.global.load @"$read0.query.w" : tensor<96x96xf32>
    %$read0.self.b = util.global.load @"$read0.self.b" : tensor<288xf32>
    %$read0.self.w = util.global.load @"$read0.self.w" : tensor<96x288xf32>
    %$read0.self_out.b = util.global.load @"$read0.self_out.b" : tensor<96xf32>
    %$read0.self_out.w = util.global.load @"$read0.self_out.w" : tensor<96x96xf32>
    %$read0.up.b = util.global.load @"$read0.up.b" : tensor<192xf32>
    %$read0.up.w = util.global.load @"$read0.up.w" : tensor<96x192xf32>
    %$read1.down.b = util.global.load @"$read1.down.b" : tensor<96xf32>
    %$read1.down.w = util.global.load @"$read1.down.w" : tensor<192x96xf32>
    %$read1.image.b = util.global.load @"$read1.image.b" : tensor<192xf32>
    %$read1.image.w = util.global.load @"$read1.image.w" : tensor<96x192xf32>
    %$read1.image_out.b = util.global.load @"$read1.image_out.b" : tensor<96xf32>
    %$read1.image_out.w = util.global.load @"$read1.image_out.w" : tensor<96x96xf32>
    %$read1.query.b = util.global.load @"$read1.query.b" : tensor<96xf32>
    %$read1.query.w = util.global.load @"$read1.query.w" : tensor<96x96xf32>
    %$read1.self.b = util.global.load @"$read1.self.b" : tensor<288xf32>
    %$read1.self.w = util.global.load @"$read1.self.w" : tensor<96x288xf32>
    %$read1.self_out.b = util.global.load @"$read1.self_out.b" : tensor<96xf32>
    %$read1.self_out.w = util.global.load @"$read1.self_out.w" : tensor<96x96xf32>
    %$read1.up.b = util.global.load @"$read1.up.b" : tensor<192xf32>
    %$read1.up.w = util.global.load @"$read1.up.w" : tensor<96x192xf32>
    %$readout = util.global.load @"$readout" : tensor<8x96xf32>
    %$spot.b = util.global.load @"$spot.b" : tensor<1xf32>
    %$spot.w = util.global.load @"$spot.w" : tensor<96x1xf32>
    %$spot_in.b = util.global.load @"$spot_in.b" : tensor<96xf32>
    %$spot_in.w = util.global.load @"$spot_in.w" : tensor<96x96xf32>
    %$word_position = util.global.load @"$word_position" : tensor<16x96xf32>
    %cst = stablehlo.constant dense<6.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<64x64xf32>
    %2 = stablehlo.subtract %arg0, %1 : tensor<64x64xf32>
    %cst_0 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<64x64xf32>
    %4 = stablehlo.multiply %2, %3 : tensor<64x64xf32>
    %5 = stablehlo.subtract %$empty, %arg0 : tensor<64x64xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+01> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<64x64xf32>
    %7 = stablehlo.multiply %5, %6 : tensor<64x64xf32>
    %8 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<64x64xf32>) -> tensor<64x64x1xf32>
    %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<64x64xf32>) -> tensor<64x64x1xf32>
    %10 = stablehlo.concatenate %8, %9, dim = 2 : (tensor<64x64x1xf32>, tensor<64x64x1xf32>) -> tensor<64x64x2xf32>
    %11 = stablehlo.dot_general %10, %$full.in.w, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x64x2xf32>, tensor<2x24xf32>) -> tensor<64x64x24xf32>
    %12 = stablehlo.broadcast_in_dim %$full.in.b, dims = [2] : (tensor<24xf32>) -> tensor<1x1x24xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<1x1x24xf32>) -> tensor<64x64x24xf32>
    %14 = stablehlo.add %11, %13 : tensor<64x64x24xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.reduce(%14 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<64x64x24xf32>, tensor<f32>) -> tensor<64x64xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<64x64xf32>) -> tensor<64x64x1xf32>
    %cst_3 = stablehlo.constant dense<2.400000e+01> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<64x64x1xf32>
    %18 = stablehlo.divide %16, %17 : tensor<64x64x1xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2] : (tensor<64x64x1xf32>) -> tensor<64x64x24xf32>
    %20 = stablehlo.subtract %14, %19 : tensor<64x64x24xf32>
    %21 = stablehlo.multiply %20, %20 : tensor<64x64x24xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %22 = stablehlo.reduce(%21 init: %cst_4) applies stablehlo.add across dimensions = [2] : (tensor<64x64x24xf32>, tensor<f32>) -> tensor<64x64xf32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0, 1] : (tensor<64x64xf32>) -> tensor<64x64x1xf32>
    %cst_5 = stablehlo.constant dense<2.400000e+01> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<64x64x1xf32>
    %25 = stablehlo.divide %23, %24 : tensor<64x64x1xf32>
    %cst_6 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<64x64x1xf32>
    %27 = stablehlo.add %25, %26 : tensor<64x64x1xf32>
    %28 = stablehlo.rsqrt %27 : tensor<64x64x1xf32>
    %29 = stablehlo.broadcast_in_dim %28, dims = [0, 1, 2] : (tensor<64x64x1xf32>) -> tensor<64x64x24xf32>
    %30 = stablehlo.multiply %20, %29 : tensor<64x64x24xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %31 = call @encode$_pad(%30, %c) : (tensor<64x64x24xf32>, tensor<i32>) -> tensor<66x66x24xf32>
    %32 = stablehlo.slice %31 [0:64, 0:64, 0:24] : (tensor<66x66x24xf32>) -> tensor<64x64x24xf32>
    %33 = stablehlo.slice %31 [0:64, 1:65, 0:24] : (tensor<66x66x24xf32>) -> tensor<64x64x24xf32>
    %34 = stablehlo.slice %31 [0:64, 2:66, 0:24] : (tensor<66x66x24xf32>) -> tensor<64x64x24xf32>
    %35 = stablehlo.slice %31 [1:65, 0:64, 0:24] : (tensor<66x66x24xf32>) -> tensor<64x64x24xf32>
    %36 = stablehlo.slice %31 [1:65, 1:65, 0:24] : (tensor<66x66x24xf32>) -> tensor<64x64x24xf32>
    %37 = stablehlo.slice %31 [1:65, 2:66, 0:24] : (tensor<66x66x24xf32>) -> tensor<64x64x24xf32>
    %38 = stablehlo.slice %31 [2:66, 0:64, 0:24] : (tensor<66x66x24xf32>) -> tensor<64x64x24xf32>
    %39 = stablehlo.slice %31 [2:66, 1:65, 0:24] : (tensor<66x66x24xf32>) -> tensor<64x64x24xf32>
    %40 = stablehlo.slice %31 [2:66, 2:66, 0:24] : (tensor<66x66x24xf32>) -> tensor<64x64x24xf32>
    %41 = stablehlo.concatenate %32, %33, %34, %35, %36, %37, %38, %39, %40, dim = 2 : (tensor<64x64x24xf32>, tensor<64x64x24xf32>, tensor<64x64x24xf32>, tensor<64x64x24xf32>, tensor<64x64x24xf32>, tensor<64x64x24xf32>, tensor<64x64x24xf32>, tensor<64x64x24xf32>, tensor<64x64x24xf32>) -> tensor<64x64x216xf32>
    %42 = stablehlo.dot_general %41, %$full0.w, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x64x216xf32>, tensor<216x24xf32>) -> tensor<64x64x24xf32>
    %43 = stablehlo.broadcast_in_dim %$full0.b, dims = [2] : (tensor<24xf32>) -> tensor<1x1x24xf32>
    %44 = stablehlo.broadcast_in_dim %43, dims = [0, 1, 2] : (tensor<1x1x24xf32>) -> tensor<64x64x24xf32>
    %45 = stablehlo.add %42, %44 : tensor<64x64x24xf32>
    %46 = call @encode$relu(%45) : (tensor<64x64x24xf32>) -> tensor<64x64x24xf32>
    %47 = stablehlo.add %14, %46 : tensor<64x64x24xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %48 = stablehlo.reduce(%47 init: %cst_7) applies stablehlo.add across dimensions = [2] : (tensor<64x64x24xf32>, tensor<f32>) -> tensor<64x64xf32>
    %49 = stablehlo.broadcast_in_dim %48, dims = [0, 1] : (tensor<64x64xf32>) -> tensor<64x64x1xf32>
    %cst_8 = stablehlo.constant dense<2.400000e+01> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<64x64x1xf32>
    %51 = stablehlo.divide %49, %50 : tensor<64x64x1xf32>
    %52 = stablehlo.broadcast_in_dim %51, dims = [0, 1, 2] : (tensor<64x64x1xf32>) -> tensor<64x64x24xf32>
    %53 = stablehlo.subtract %47, %52 : tensor<64x64x24xf32>
    %54 = stablehlo.multiply %53, %53 : tensor<64x64x24xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %55 = stablehlo.reduce(%54 init: %cst_9) applies stablehlo.add across dimensions = [2] : (tensor<64x64x24xf32>, tensor<f32>) -> tensor<64x64xf32>
    %56 = stablehlo.broadcast_in_dim %55, dims = [0, 1] : (tensor<64x64xf32>) -> tensor<64x64x1xf32>
    %cst_10 = stablehlo.constant dense<2.400000e+01> : tensor<f32>
    %57 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<64x64x1xf32>
    %58 = stablehlo.divide %56, %57 : tensor<64x64x1xf32>
    %cst_11 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %59 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<64x64x1xf32>
    %60 = stablehlo.add %58, %59 : tensor<64x64x1xf32>
    %61 = stablehlo.rsqrt %60 : tensor<64x64x1xf32>
    %62 = stablehlo.broadcast_in_dim %61, dims = [0, 1, 2] : (tensor<64x64x1xf32>) -> tensor<64x64x24xf32>
    %63 = stablehlo.multiply %53, %62 : tensor<64x64x24xf32>
    %c_12 = stablehlo.constant dense<0> : tensor<i32>
    %64 = call @encode$_pad(%63, %c_12) : (tensor<64x64x24xf32>, tensor<i32>) -> tensor<66x66x24xf32>
    %65 = stablehlo.slice %64 [0:64, 0:64, 0:24] : (tensor<66x66x24xf32>) -> tensor<64x64x24xf32>
    %66 = stablehlo.slice %64 [0:64, 1:65, 0:24] : (tensor<66x66x24xf32>) -> tensor<64x64x24xf32>
    %67 = stablehlo.slice %64 [0:64, 2:66, 0:24] : (tensor<66x66x24xf32>) -> tensor<64x64x24xf32>
    %68 = stablehlo.slice %64 [1:65, 0:64, 0:24] : (tensor<66x66x24xf32>) -> tensor<64x64x24xf32>
    %69 = stablehlo.slice %64 [1:65, 1:65, 0:24] : (tensor<66x66x24xf32>) -> tensor<64x64x24xf32>
    %70 = stablehlo.slice %64 [1:65, 2:66, 0:24] : (tensor<66x66x24xf32>) -> tensor<64x64x24xf32>
    %71 = stablehlo.slice %64 [2:66, 0:64, 0:24] : (tensor<66x66x24xf32>) -> tensor<64x64x24xf32>
    %72 = stablehlo.slice %64 [2:66, 1:65, 0:24] : (tensor<66x66x24xf32>) -> tensor<64x64x24xf32>
    %73 = stablehlo.slice %64 [2:66, 2:66, 0:24] : (tensor<66x66x24xf32>) -> tensor<64x64x24xf32>
    %74 = stablehlo.concatenate %65, %66, %67, %68, %69, %70, %71, %72, %73, dim = 2 : (tensor<64x64x24xf32>, tensor<64x64x24xf32>, tensor<64x64x24xf32>, tensor<64x64x24xf32>, tensor<64x64x24xf32>, tensor<64x64x24xf32>, tensor<64x64x24xf32>, tensor<64x64x24xf32>, tensor<64x64x24xf32>) -> tensor<64x64x216xf32>
    %75 = stablehlo.dot_general %74, %$full1.w, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x64x216xf32>, tensor<216x24xf32>) -> tensor<64x64x24xf32>
    %76 = stablehlo.broadcast_in_dim %$full1.b, dims = [2] : (tensor<24xf32>) -> tensor<1x1x24xf32>
    %77 = stablehlo.broadcast_in_dim %76, dims = [0, 1, 2] : (tensor<1x1x24xf32>) -> tensor<64x64x24xf32>
    %78 = stablehlo.add %75, %77 : tensor<64x64x24xf32>
    %79 = call @encode$relu(%78) : (tensor<64x64x24xf32>) -> tensor<64x64x24xf32>
    %80 = stablehlo.add %47, %79 : tensor<64x64x24xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %81 = stablehlo.reduce(%80 init: %cst_13) applies stablehlo.add across dimensions = [2] : (tensor<64x64x24xf32>, tensor<f32>) -> tensor<64x64xf32>
    %82 = stablehlo.broadcast_in_dim %81, dims = [0, 1] : (tensor<64x64xf32>) -> tensor<64x64x1xf32>
    %cst_14 = stablehlo.constant dense<2.400000e+01> : tensor<f32>
    %83 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<64x64x1xf32>
    %84 = stablehlo.divide %82, %83 : tensor<64x64x1xf32>
    %85 = stablehlo.broadcast_in_dim %84, dims = [0, 1, 2] : (tensor<64x64x1xf32>) -> tensor<64x64x24xf32>
    %86 = stablehlo.subtract %80, %85 : tensor<64x64x24xf32>
    %87 = stablehlo.multiply %86, %86 : tensor<64x64x24xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %88 = stablehlo.reduce(%87 init: %cst_15) applies stablehlo.add across dimensions = [2] : (tensor<64x64x24xf32>, tensor<f32>) -> tensor<64x64xf32>
    %89 = stablehlo.broadcast_in_dim %88, dims = [0, 1] : (tensor<64x64xf32>) -> tensor<64x64x1xf32>
    %cst_16 = stablehlo.constant dense<2.400000e+01> : tensor<f32>
    %90 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<64x64x1xf32>
    %91 = stablehlo.divide %89, %90 : tensor<64x64x1xf32>
    %cst_17 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %92 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<64x64x1xf32>
    %93 = stablehlo.add %91, %92 : tensor<64x64x1xf32>
    %94 = stablehlo.rsqrt %93 : tensor<64x64x1xf32>
    %95 = stablehlo.broadcast_in_dim %94, dims = [0, 1, 2] : (tensor<64x64x1xf32>) -> tensor<64x64x24xf32>
    %96 = stablehlo.multiply %86, %95 : tensor<64x64x24xf32>
    %c_18 = stablehlo.constant dense<0> : tensor<i32>
    %97 = call @encode$_pad(%96, %c_18) : (tensor<64x64x24xf32>, tensor<i32>) -> tensor<66x66x24xf32>
    %98 = stablehlo.slice %97 [0:64, 0:64, 0:24] : (tensor<66x66x24xf32>) -> tensor<64x64x24xf32>
    %99 = stablehlo.slice %97 [0:64, 1:65, 0:24] : (tensor<66x66x24xf32>) -> tensor<64x64x24xf32>
    %100 = stablehlo.slice %97 [0:64, 2:66, 0:24] : (tensor<66x66x24xf32>) -> tensor<64x64x24xf32>
    %101 = stablehlo.slice %97 [1:65, 0:64, 0:24] : (tensor<66x66x24xf32>) -> tensor<64x64x24xf32>
    %102 = stablehlo.slice %97 [1:65, 1:65, 0:24] : (tensor<66x66x24xf32>) -> tensor<64x64x24xf32>
    %103 = stablehlo.slice %97 [1:65, 2:66, 0:24] : (tensor<66x66x24xf32>) -> tensor<64x64x24xf32>
    %104 = stablehlo.slice %97 [2:66, 0:64, 0:24] : (tensor<66x66x24xf32>) -> tensor<64x64x24xf32>
    %105 = stablehlo.slice %97 [2:66, 1:65, 0:24] : (tensor<66x66x24xf32>) -> tensor<64x64x24xf32>
    %106 = stablehlo.slice %97 [2:66, 2:66, 0:24] : (tensor<66x66x24xf32>) -> tensor<64x64x24xf32>
    %107 = stablehlo.concatenate %98, %99, %100, %101, %102, %103, %104, %105, %106, dim = 2 : (tensor<64x64x24xf32>, tensor<64x64x24xf32>, tensor<64x64x24xf32>, tensor<64x64x24xf32>, tensor<64x64x24xf32>, tensor<64x64x24xf32>, tensor<64x64x24xf32>, tensor<64x64x24xf32>, tensor<64x64x24xf32>) -> tensor<64x64x216xf32>
    %108 = stablehlo.dot_general %107, %$full2.w, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x64x216xf32>, tensor<216x24xf32>) -> tensor<64x64x24xf32>
    %109 = stablehlo.broadcast_in_dim %$full2.b, dims = [2] : (tensor<24xf32>) -> tensor<1x1x24xf32>
    %110 = stablehlo.broadcast_in_dim %109, dims = [0, 1, 2] : (tensor<1x1x24xf32>) -> tensor<64x64x24xf32>
    %111 = stablehlo.add %108, %110 : tensor<64x64x24xf32>
    %112 = call @encode$relu(%111) : (tensor<64x64x24xf32>) -> tensor<64x64x24xf32>
    %113 = stablehlo.add %80, %112 : tensor<64x64x24xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %114 = stablehlo.reduce(%113 init: %cst_19) applies stablehlo.add across dimensions = [2] : (tensor<64x64x24xf32>, tensor<f32>) -> tensor<64x64xf32>
    %115 = stablehlo.broadcast_in_dim %114, dims = [0, 1] : (tensor<64x64xf32>) -> tensor<64x64x1xf32>
    %cst_20 = stablehlo.constant dense<2.400000e+01> : tensor<f32>
    %116 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<64x64x1xf32>
    %117 = stablehlo.divide %115, %116 : tensor<64x64x1xf32>
    %118 = stablehlo.broadcast_in_dim %117, dims = [0, 1, 2] : (tensor<64x64x1xf32>) -> tensor<64x64x24xf32>
    %119 = stablehlo.subtract %113, %118 : tensor<64x64x24xf32>
    %120 = stablehlo.multiply %119, %119 : tensor<64x64x24xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %121 = stablehlo.reduce(%120 init: %cst_21) applies stablehlo.add across dimensions = [2] : (tensor<64x64x24xf32>, tensor<f32>) -> tensor<64x64xf32>
    %122 = stablehlo.broadcast_in_dim %121, dims = [0, 1] : (tensor<64x64xf32>) -> tensor<64x64x1xf32>
    %cst_22 = stablehlo.constant dense<2.400000e+01> : tensor<f32>
    %123 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<64x64x1xf32>
    %124 = stablehlo.divide %122, %123 : tensor<64x64x1xf32>
    %cst_23 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %125 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<64x64x1xf32>
    %126 = stablehlo.add %124, %125 : tensor<64x64x1xf32>
    %127 = stablehlo.rsqrt %126 : tensor<64x64x1xf32>
    %128 = stablehlo.broadcast_in_dim %127, dims = [0, 1, 2] : (tensor<64x64x1xf32>) -> tensor<64x64x24xf32>
    %129 = stablehlo.multiply %119, %128 : tensor<64x64x24xf32>
    %c_24 = stablehlo.constant dense<0> : tensor<i32>
    %130 = call @encode$_pad(%129, %c_24) : (tensor<64x64x24xf32>, tensor<i32>) -> tensor<66x66x24xf32>
    %131 = stablehlo.slice %130 [0:64, 0:64, 0:24] : (tensor<66x66x24xf32>) -> tensor<64x64x24xf32>
    %132 = stablehlo.slice %130 [0:64, 1:65, 0:24] : (tensor<66x66x24xf32>) -> tensor<64x64x24xf32>
    %133 = stablehlo.slice %130 [0:64, 2:66, 0:24] : (tensor<66x66x24xf32>) -> tensor<64x64x24xf32>
    %134 = stablehlo.slice %130 [1:65, 0:64, 0:24] : (tensor<66x66x24xf32>) -> tensor<64x64x24xf32>
    %135 = stablehlo.slice %130 [1:65, 1:65, 0:24] : (tensor<66x66x24xf32>) -> tensor<64x64x24xf32>
    %136 = stablehlo.slice %130 [1:65, 2:66, 0:24] : (tensor<66x66x24xf32>) -> tensor<64x64x24xf32>
    %137 = stablehlo.slice %130 [2:66, 0:64, 0:24] : (tensor<66x66x24xf32>) -> tensor<64x64x24xf32>
    %138 = stablehlo.slice %130 [2:66, 1:65, 0:24] : (tensor<66x66x24xf32>) -> tensor<64x64x24xf32>
    %139 = stablehlo.slice %130 [2:66, 2:66, 0:24] : (tensor<66x66x24xf32>) -> tensor<64x64x24xf32>
    %140 = stablehlo.concatenate %131, %132, %133, %134, %135, %136, %137, %138, %139, dim = 2 : (tensor<64x64x24xf32>, tensor<64x64x24xf32>, tensor<64x64x24xf32>, tensor<64x64x24xf32>, tensor<64x64x24xf32>, tensor<64x64x24xf32>, tensor<64x64x24xf32>, tensor<64x64x24xf32>, tensor<64x64x24xf32>) -> tensor<64x64x216xf32>
    %141 = stablehlo.dot_general %140, %$full3.w, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x64x216xf32>, tensor<216x24xf32>) -> tensor<64x64x24xf32>
    %142 = stablehlo.broadcast_in_dim %$full3.b, dims = [2] : (tensor<24xf32>) -> tensor<1x1x24xf32>
    %143 = stablehlo.broadcast_in_dim %142, dims = [0, 1, 2] : (tensor<1x1x24xf32>) -> tensor<64x64x24xf32>
    %144 = stablehlo.add %141, %143 : tensor<64x64x24xf32>
    %145 = call @encode$relu(%144) : (tensor<64x64x24xf32>) -> tensor<64x64x24xf32>
    %146 = stablehlo.add %113, %145 : tensor<64x64x24xf32>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %147 = stablehlo.reduce(%146 init: %cst_25) applies stablehlo.add across dimensions = [2] : (tensor<64x64x24xf32>, tensor<f32>) -> tensor<64x64xf32>
    %148 = stablehlo.broadcast_in_dim %147, dims = [0, 1] : (tensor<64x64xf32>) -> tensor<64x64x1xf32>
    %cst_26 = stablehlo.constant dense<2.400000e+01> : tensor<f32>
    %149 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<64x64x1xf32>
    %150 = stablehlo.divide %148, %149 : tensor<64x64x1xf32>
    %151 = stablehlo.broadcast_in_dim %150, dims = [0, 1, 2] : (tensor<64x64x1xf32>) -> tensor<64x64x24xf32>
    %152 = stablehlo.subtract %146, %151 : tensor<64x64x24xf32>
    %153 = stablehlo.multiply %152, %152 : tensor<64x64x24xf32>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %154 = stablehlo.reduce(%153 init: %cst_27) applies stablehlo.add across dimensions = [2] : (tensor<64x64x24xf32>, tensor<f32>) -> tensor<64x64xf32>
    %155 = stablehlo.broadcast_in_dim %154, dims = [0, 1] : (tensor<64x64xf32>) -> tensor<64x64x1xf32>
    %cst_28 = stablehlo.constant dense<2.400000e+01> : tensor<f32>
    %156 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<64x64x1xf32>
    %157 = stablehlo.divide %155, %156 : tensor<64x64x1xf32>
    %cst_29 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %158 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<64x64x1xf32>
    %159 = stablehlo.add %157, %158 : tensor<64x64x1xf32>
    %160 = stablehlo.rsqrt %159 : tensor<64x64x1xf32>
    %161 = stablehlo.broadcast_in_dim %160, dims = [0, 1, 2] : (tensor<64x64x1xf32>) -> tensor<64x64x24xf32>
    %162 = stablehlo.multiply %152, %161 : tensor<64x64x24xf32>
    %c_30 = stablehlo.constant dense<0> : tensor<i32>
    %163 = call @encode$_pad(%162, %c_30) : (tensor<64x64x24xf32>, tensor<i32>) -> tensor<66x66x24xf32>
    %164 = stablehlo.slice %163 [0:64, 0:64, 0:24] : (tensor<66x66x24xf32>) -> tensor<64x64x24xf32>
    %165 = stablehlo.slice %163 [0:64, 1:65, 0:24] : (tensor<66x66x24xf32>) -> tensor<64x64x24xf32>
    %166 = stablehlo.slice %163 [0:64, 2:66, 0:24] : (tensor<66x66x24xf32>) -> tensor<64x64x24xf32>
    %167 = stablehlo.slice %163 [1:65, 0:64, 0:24] : (tensor<66x66x24xf32>) -> tensor<64x64x24xf32>
    %168 = stablehlo.slice %163 [1:65, 1:65, 0:24] : (tensor<66x66x24xf32>) -> tensor<64x64x24xf32>
    %169 = stablehlo.slice %163 [1:65, 2:66, 0:24] : (tensor<66x66x24xf32>) -> tensor<64x64x24xf32>
    %170 = stablehlo.slice %163 [2:66, 0:64, 0:24] : (tensor<66x66x24xf32>) -> tensor<64x64x24xf32>
    %171 = stablehlo.slice %163 [2:66, 1:65, 0:24] : (tensor<66x66x24xf32>) -> tensor<64x64x24xf32>
    %172 = stablehlo.slice %163 [2:66, 2:66, 0:24] : (tensor<66x66x24xf32>) -> tensor<64x64x24xf32>
    %173 = stablehlo.concatenate %164, %165, %166, %167, %168, %169, %170, %171, %172, dim = 2 : (tensor<64x64x24xf32>, tensor<64x64x24xf32>, tensor<64x64x24xf32>, tensor<64x64x24xf32>, tensor<64x64x24xf32>, tensor<64x64x24xf32>, tensor<64x64x24xf32>, tensor<64x64x24xf32>, tensor<64x64x24xf32>) -> tensor<64x64x216xf32>
    %174 = stablehlo.dot_general %173, %$full4.w, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x64x216xf32>, tensor<216x24xf32>) -> tensor<64x64x24xf32>
    %175 = stablehlo.broadcast_in_dim %$full4.b, dims = [2] : (tensor<24xf32>) -> tensor<1x1x24xf32>
    %176 = stablehlo.broadcast_in_dim %175, dims = [0, 1, 2] : (tensor<1x1x24xf32>) -> tensor<64x64x24xf32>
    %177 = stablehlo.add %174, %176 : tensor<64x64x24xf32>
    %178 = call @encode$relu(%177) : (tensor<64x64x24xf32>) -> tensor<64x64x24xf32>
    %179 = stablehlo.add %146, %178 : tensor<64x64x24xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %180 = stablehlo.reduce(%179 init: %cst_31) applies stablehlo.add across dimensions = [2] : (tensor<64x64x24xf32>, tensor<f32>) -> tensor<64x64xf32>
    %181 = stablehlo.broadcast_in_dim %180, dims = [0, 1] : (tensor<64x64xf32>) -> tensor<64x64x1xf32>
    %cst_32 = stablehlo.constant dense<2.400000e+01> : tensor<f32>
    %182 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<64x64x1xf32>
    %183 = stablehlo.divide %181, %182 : tensor<64x64x1xf32>
    %184 = stablehlo.broadcast_in_dim %183, dims = [0, 1, 2] : (tensor<64x64x1xf32>) -> tensor<64x64x24xf32>
    %185 = stablehlo.subtract %179, %184 : tensor<64x64x24xf32>
    %186 = stablehlo.multiply %185, %185 : tensor<64x64x24xf32>
    %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %187 = stablehlo.reduce(%186 init: %cst_33) applies stablehlo.add across dimensions = [2] : (tensor<64x64x24xf32>, tensor<f32>) -> tensor<64x64xf32>
    %188 = stablehlo.broadcast_in_dim %187, dims = [0, 1] : (tensor<64x64xf32>) -> tensor<64x64x1xf32>
    %cst_34 = stablehlo.constant dense<2.400000e+01> : tensor<f32>
    %189 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<64x64x1xf32>
    %190 = stablehlo.divide %188, %189 : tensor<64x64x1xf32>
    %cst_35 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %191 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<64x64x1xf32>
    %192 = stablehlo.add %190, %191 : tensor<64x64x1xf32>
    %193 = stablehlo.rsqrt %192 : tensor<64x64x1xf32>
    %194 = stablehlo.broadcast_in_dim %193, dims = [0, 1, 2] : (tensor<64x64x1xf32>) -> tensor<64x64x24xf32>
    %195 = stablehlo.multiply %185, %194 : tensor<64x64x24xf32>
    %c_36 = stablehlo.constant dense<0> : tensor<i32>
    %196 = call @encode$_pad(%195, %c_36) : (tensor<64x64x24xf32>, tensor<i32>) -> tensor<66x66x24xf32>
    %197 = stablehlo.slice %196 [0:64, 0:64, 0:24] : (tensor<66x66x24xf32>) -> tensor<64x64x24xf32>
    %198 = stablehlo.slice %196 [0:64, 1:65, 0:24] : (tensor<66x66x24xf32>) -> tensor<64x64x24xf32>
    %199 = stablehlo.slice %196 [0:64, 2:66, 0:24] : (tensor<66x66x24xf32>) -> tensor<64x64x24xf32>
    %200 = stablehlo.slice %196 [1:65, 0:64, 0:24] : (tensor<66x66x24xf32>) -> tensor<64x64x24xf32>
    %201 = stablehlo.slice %196 [1:65, 1:65, 0:24] : (tensor<66x66x24xf32>) -> tensor<64x64x24xf32>
    %202 = stablehlo.slice %196 [1:65, 2:66, 0:24] : (tensor<66x66x24xf32>) -> tensor<64x64x24xf32>
    %203 = stablehlo.slice %196 [2:66, 0:64, 0:24] : (tensor<66x66x24xf32>) -> tensor<64x64x24xf32>
    %204 = stablehlo.slice %196 [2:66, 1:65, 0:24] : (tensor<66x66x24xf32>) -> tensor<64x64x24xf32>
    %205 = stablehlo.slice %196 [2:66, 2:66, 0:24] : (tensor<66x66x24xf32>) -> tensor<64x64x24xf32>
    %206 = stablehlo.concatenate %197, %198, %199, %200, %201, %202, %203, %204, %205, dim = 2 : (tensor<64x64x24xf32>, tensor<64x64x24xf32>, tensor<64x64x24xf32>, tensor<64x64x24xf32>, tensor<64x64x24xf32>, tensor<64x64x24xf32>, tensor<64x64x24xf32>, tensor<64x64x24xf32>, tensor<64x64x24xf32>) -> tensor<64x64x216xf32>
    %207 = stablehlo.dot_general %206, %$full5.w, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x64x216xf32>, tensor<216x24xf32>) -> tensor<64x64x24xf32>
    %208 = stablehlo.broadcast_in_dim %$full5.b, dims = [2] : (tensor<24xf32>) -> tensor<1x1x24xf32>
    %209 = stablehlo.broadcast_in_dim %208, dims = [0, 1, 2] : (tensor<1x1x24xf32>) -> tensor<64x64x24xf32>
    %210 = stablehlo.add %207, %209 : tensor<64x64x24xf32>
    %211 = call @encode$relu(%210) : (tensor<64x64x24xf32>) -> tensor<64x64x24xf32>
    %212 = stablehlo.add %179, %211 : tensor<64x64x24xf32>
    %213 = stablehlo.reshape %212 : (tensor<64x64x24xf32>) -> tensor<32x2x32x2x24xf32>
    %214 = stablehlo.transpose %213, dims = [0, 2, 1, 3, 4] : (tensor<32x2x32x2x24xf32>) -> tensor<32x32x2x2x24xf32>
    %215 = stablehlo.reshape %214 : (tensor<32x32x2x2x24xf32>) -> tensor<32x32x96xf32>
    %216 = stablehlo.dot_general %215, %$fine.in.w, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x32x96xf32>, tensor<96x48xf32>) -> tensor<32x32x48xf32>
    %217 = stablehlo.broadcast_in_dim %$fine.in.b, dims = [2] : (tensor<48xf32>) -> tensor<1x1x48xf32>
    %218 = stablehlo.broadcast_in_dim %217, dims = [0, 1, 2] : (tensor<1x1x48xf32>) -> tensor<32x32x48xf32>
    %219 = stablehlo.add %216, %218 : tensor<32x32x48xf32>
    %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %220 = stablehlo.reduce(%219 init: %cst_37) applies stablehlo.add across dimensions = [2] : (tensor<32x32x48xf32>, tensor<f32>) -> tensor<32x32xf32>
    %221 = stablehlo.broadcast_in_dim %220, dims = [0, 1] : (tensor<32x32xf32>) -> tensor<32x32x1xf32>
    %cst_38 = stablehlo.constant dense<4.800000e+01> : tensor<f32>
    %222 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<32x32x1xf32>
    %223 = stablehlo.divide %221, %222 : tensor<32x32x1xf32>
    %224 = stablehlo.broadcast_in_dim %223, dims = [0, 1, 2] : (tensor<32x32x1xf32>) -> tensor<32x32x48xf32>
    %225 = stablehlo.subtract %219, %224 : tensor<32x32x48xf32>
    %226 = stablehlo.multiply %225, %225 : tensor<32x32x48xf32>
    %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %227 = stablehlo.reduce(%226 init: %cst_39) applies stablehlo.add across dimensions = [2] : (tensor<32x32x48xf32>, tensor<f32>) -> tensor<32x32xf32>
    %228 = stablehlo.broadcast_in_dim %227, dims = [0, 1] : (tensor<32x32xf32>) -> tensor<32x32x1xf32>
    %cst_40 = stablehlo.constant dense<4.800000e+01> : tensor<f32>
    %229 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<32x32x1xf32>
    %230 = stablehlo.divide %228, %229 : tensor<32x32x1xf32>
    %cst_41 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %231 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<32x32x1xf32>
    %232 = stablehlo.add %230, %231 : tensor<32x32x1xf32>
    %233 = stablehlo.rsqrt %232 : tensor<32x32x1xf32>
    %234 = stablehlo.broadcast_in_dim %233, dims = [0, 1, 2] : (tensor<32x32x1xf32>) -> tensor<32x32x48xf32>
    %235 = stablehlo.multiply %225, %234 : tensor<32x32x48xf32>
    %c_42 = stablehlo.constant dense<0> : tensor<i32>
    %236 = call @encode$_pad_0(%235, %c_42) : (tensor<32x32x48xf32>, tensor<i32>) -> tensor<34x34x48xf32>
    %237 = stablehlo.slice %236 [0:32, 0:32, 0:48] : (tensor<34x34x48xf32>) -> tensor<32x32x48xf32>
    %238 = stablehlo.slice %236 [0:32, 1:33, 0:48] : (tensor<34x34x48xf32>) -> tensor<32x32x48xf32>
    %239 = stablehlo.slice %236 [0:32, 2:34, 0:48] : (tensor<34x34x48xf32>) -> tensor<32x32x48xf32>
    %240 = stablehlo.slice %236 [1:33, 0:32, 0:48] : (tensor<34x34x48xf32>) -> tensor<32x32x48xf32>
    %241 = stablehlo.slice %236 [1:33, 1:33, 0:48] : (tensor<34x34x48xf32>) -> tensor<32x32x48xf32>
    %242 = stablehlo.slice %236 [1:33, 2:34, 0:48] : (tensor<34x34x48xf32>) -> tensor<32x32x48xf32>
    %243 = stablehlo.slice %236 [2:34, 0:32, 0:48] : (tensor<34x34x48xf32>) -> tensor<32x32x48xf32>
    %244 = stablehlo.slice %236 [2:34, 1:33, 0:48] : (tensor<34x34x48xf32>) -> tensor<32x32x48xf32>
    %245 = stablehlo.slice %236 [2:34, 2:34, 0:48] : (tensor<34x34x48xf32>) -> tensor<32x32x48xf32>
    %246 = stablehlo.concatenate %237, %238, %239, %240, %241, %242, %243, %244, %245, dim = 2 : (tensor<32x32x48xf32>, tensor<32x32x48xf32>, tensor<32x32x48xf32>, tensor<32x32x48xf32>, tensor<32x32x48xf32>, tensor<32x32x48xf32>, tensor<32x32x48xf32>, tensor<32x32x48xf32>, tensor<32x32x48xf32>) -> tensor<32x32x432xf32>
    %247 = stablehlo.dot_general %246, %$fine0.w, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x32x432xf32>, tensor<432x48xf32>) -> tensor<32x32x48xf32>
    %248 = stablehlo.broadcast_in_dim %$fine0.b, dims = [2] : (tensor<48xf32>) -> tensor<1x1x48xf32>
    %249 = stablehlo.broadcast_in_dim %248, dims = [0, 1, 2] : (tensor<1x1x48xf32>) -> tensor<32x32x48xf32>
    %250 = stablehlo.add %247, %249 : tensor<32x32x48xf32>
    %251 = call @encode$relu_1(%250) : (tensor<32x32x48xf32>) -> tensor<32x32x48xf32>
    %252 = stablehlo.add %219, %251 : tensor<32x32x48xf32>
    %cst_43 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %253 = stablehlo.reduce(%252 init: %cst_43) applies stablehlo.add across dimensions = [2] : (tensor<32x32x48xf32>, tensor<f32>) -> tensor<32x32xf32>
    %254 = stablehlo.broadcast_in_dim %253, dims = [0, 1] : (tensor<32x32xf32>) -> tensor<32x32x1xf32>
    %cst_44 = stablehlo.constant dense<4.800000e+01> : tensor<f32>
    %255 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<32x32x1xf32>
    %256 = stablehlo.divide %254, %255 : tensor<32x32x1xf32>
    %257 = stablehlo.broadcast_in_dim %256, dims = [0, 1, 2] : (tensor<32x32x1xf32>) -> tensor<32x32x48xf32>
    %258 = stablehlo.subtract %252, %257 : tensor<32x32x48xf32>
    %259 = stablehlo.multiply %258, %258 : tensor<32x32x48xf32>
    %cst_45 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %260 = stablehlo.reduce(%259 init: %cst_45) applies stablehlo.add across dimensions = [2] : (tensor<32x32x48xf32>, tensor<f32>) -> tensor<32x32xf32>
    %261 = stablehlo.broadcast_in_dim %260, dims = [0, 1] : (tensor<32x32xf32>) -> tensor<32x32x1xf32>
    %cst_46 = stablehlo.constant dense<4.800000e+01> : tensor<f32>
    %262 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<32x32x1xf32>
    %263 = stablehlo.divide %261, %262 : tensor<32x32x1xf32>
    %cst_47 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %264 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<32x32x1xf32>
    %265 = stablehlo.add %263, %264 : tensor<32x32x1xf32>
    %266 = stablehlo.rsqrt %265 : tensor<32x32x1xf32>
    %267 = stablehlo.broadcast_in_dim %266, dims = [0, 1, 2] : (tensor<32x32x1xf32>) -> tensor<32x32x48xf32>
    %268 = stablehlo.multiply %258, %267 : tensor<32x32x48xf32>
    %c_48 = stablehlo.constant dense<0> : tensor<i32>
    %269 = call @encode$_pad_0(%268, %c_48) : (tensor<32x32x48xf32>, tensor<i32>) -> tensor<34x34x48xf32>
    %270 = stablehlo.slice %269 [0:32, 0:32, 0:48] : (tensor<34x34x48xf32>) -> tensor<32x32x48xf32>
    %271 = stablehlo.slice %269 [0:32, 1:33, 0:48] : (tensor<34x34x48xf32>) -> tensor<32x32x48xf32>
    %272 = stablehlo.slice %269 [0:32, 2:34, 0:48] : (tensor<34x34x48xf32>) -> tensor<32x32x48xf32>
    %273 = stablehlo.slice %269 [1:33, 0:32, 0:48] : (tensor<34x34x48xf32>) -> tensor<32x32x48xf32>
    %274 = stablehlo.slice %269 [1:33, 1:33, 0:48] : (tensor<34x34x48xf32>) -> tensor<32x32x48xf32>
    %275 = stablehlo.slice %269 [1:33, 2:34, 0:48] : (tensor<34x34x48xf32>) -> tensor<32x32x48xf32>
    %276 = stablehlo.slice %269 [2:34, 0:32, 0:48] : (tensor<34x34x48xf32>) -> tensor<32x32x48xf32>
    %277 = stablehlo.slice %269 [2:34, 1:33, 0:48] : (tensor<34x34x48xf32>) -> tensor<32x32x48xf32>
    %278 = stablehlo.slice %269 [2:34, 2:34, 0:48] : (tensor<34x34x48xf32>) -> tensor<32x32x48xf32>
    %279 = stablehlo.concatenate %270, %271, %272, %273, %274, %275, %276, %277, %278, dim = 2 : (tensor<32x32x48xf32>, tensor<32x32x48xf32>, tensor<32x32x48xf32>, tensor<32x32x48xf32>, tensor<32x32x48xf32>, tensor<32x32x48xf32>, tensor<32x32x48xf32>, tensor<32x32x48xf32>, tensor<32x32x48xf32>) -> tensor<32x32x432xf32>
    %280 = stablehlo.dot_general %279, %$fine1.w, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x32x432xf32>, tensor<432x48xf32>) -> tensor<32x32x48xf32>
    %281 = stablehlo.broadcast_in_dim %$fine1.b, dims = [2] : (tensor<48xf32>) -> tensor<1x1x48xf32>
    %282 = stablehlo.broadcast_in_dim %281, dims = [0, 1, 2] : (tensor<1x1x48xf32>) -> tensor<32x32x48xf32>
    %283 = stablehlo.add %280, %282 : tensor<32x32x48xf32>
    %284 = call @encode$relu_1(%283) : (tensor<32x32x48xf32>) -> tensor<32x32x48xf32>
    %285 = stablehlo.add %252, %284 : tensor<32x32x48xf32>
    %cst_49 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %286 = stablehlo.reduce(%285 init: %cst_49) applies stablehlo.add across dimensions = [2] : (tensor<32x32x48xf32>, tensor<f32>) -> tensor<32x32xf32>
    %287 = stablehlo.broadcast_in_dim %286, dims = [0, 1] : (tensor<32x32xf32>) -> tensor<32x32x1xf32>
    %cst_50 = stablehlo.constant dense<4.800000e+01> : tensor<f32>
    %288 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<32x32x1xf32>
    %289 = stablehlo.divide %287, %288 : tensor<32x32x1xf32>
    %290 = stablehlo.broadcast_in_dim %289, dims = [0, 1, 2] : (tensor<32x32x1xf32>) -> tensor<32x32x48xf32>
    %291 = stablehlo.subtract %285, %290 : tensor<32x32x48xf32>
    %292 = stablehlo.multiply %291, %291 : tensor<32x32x48xf32>
    %cst_51 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %293 = stablehlo.reduce(%292 init: %cst_51) applies stablehlo.add across dimensions = [2] : (tensor<32x32x48xf32>, tensor<f32>) -> tensor<32x32xf32>
    %294 = stablehlo.broadcast_in_dim %293, dims = [0, 1] : (tensor<32x32xf32>) -> tensor<32x32x1xf32>
    %cst_52 = stablehlo.constant dense<4.800000e+01> : tensor<f32>
    %295 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<32x32x1xf32>
    %296 = stablehlo.divide %294, %295 : tensor<32x32x1xf32>
    %cst_53 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %297 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<32x32x1xf32>
    %298 = stablehlo.add %296, %297 : tensor<32x32x1xf32>
    %299 = stablehlo.rsqrt %298 : tensor<32x32x1xf32>
    %300 = stablehlo.broadcast_in_dim %299, dims = [0, 1, 2] : (tensor<32x32x1xf32>) -> tensor<32x32x48xf32>
    %301 = stablehlo.multiply %291, %300 : tensor<32x32x48xf32>
    %c_54 = stablehlo.constant dense<0> : tensor<i32>
    %302 = call @encode$_pad_0(%301, %c_54) : (tensor<32x32x48xf32>, tensor<i32>) -> tensor<34x34x48xf32>
    %303 = stablehlo.slice %302 [0:32, 0:32, 0:48] : (tensor<34x34x48xf32>) -> tensor<32x32x48xf32>
    %304 = stablehlo.slice %302 [0:32, 1:33, 0:48] : (tensor<34x34x48xf32>) -> tensor<32x32x48xf32>
    %305 = stablehlo.slice %302 [0:32, 2:34, 0:48] : (tensor<34x34x48xf32>) -> tensor<32x32x48xf32>
    %306 = stablehlo.slice %302 [1:33, 0:32, 0:48] : (tensor<34x34x48xf32>) -> tensor<32x32x48xf32>
    %307 = stablehlo.slice %302 [1:33, 1:33, 0:48] : (tensor<34x34x48xf32>) -> tensor<32x32x48xf32>
    %308 = stablehlo.slice %302 [1:33, 2:34, 0:48] : (tensor<34x34x48xf32>) -> tensor<32x32x48xf32>
    %309 = stablehlo.slice %302 [2:34, 0:32, 0:48] : (tensor<34x34x48xf32>) -> tensor<32x32x48xf32>
    %310 = stablehlo.slice %302 [2:34, 1:33, 0:48] : (tensor<34x34x48xf32>) -> tensor<32x32x48xf32>
    %311 = stablehlo.slice %302 [2:34, 2:34, 0:48] : (tensor<34x34x48xf32>) -> tensor<32x32x48xf32>
    %312 = stablehlo.concatenate %303, %304, %305, %306, %307, %308, %309, %310, %311, dim = 2 : (tensor<32x32x48xf32>, tensor<32x32x48xf32>, tensor<32x32x48xf32>, tensor<32x32x48xf32>, tensor<32x32x48xf32>, tensor<32x32x48xf32>, tensor<32x32x48xf32>, tensor<32x32x48xf32>, tensor<32x32x48xf32>) -> tensor<32x32x432xf32>
    %313 = stablehlo.dot_general %312, %$fine2.w, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x32x432xf32>, tensor<432x48xf32>) -> tensor<32x32x48xf32>
    %314 = stablehlo.broadcast_in_dim %$fine2.b, dims = [2] : (tensor<48xf32>) -> tensor<1x1x48xf32>
    %315 = stablehlo.broadcast_in_dim %314, dims = [0, 1, 2] : (tensor<1x1x48xf32>) -> tensor<32x32x48xf32>
    %316 = stablehlo.add %313, %315 : tensor<32x32x48xf32>
    %317 = call @encode$relu_1(%316) : (tensor<32x32x48xf32>) -> tensor<32x32x48xf32>
    %318 = stablehlo.add %285, %317 : tensor<32x32x48xf32>
    %cst_55 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %319 = stablehlo.reduce(%318 init: %cst_55) applies stablehlo.add across dimensions = [2] : (tensor<32x32x48xf32>, tensor<f32>) -> tensor<32x32xf32>
    %320 = stablehlo.broadcast_in_dim %319, dims = [0, 1] : (tensor<32x32xf32>) -> tensor<32x32x1xf32>
    %cst_56 = stablehlo.constant dense<4.800000e+01> : tensor<f32>
    %321 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<32x32x1xf32>
    %322 = stablehlo.divide %320, %321 : tensor<32x32x1xf32>
    %323 = stablehlo.broadcast_in_dim %322, dims = [0, 1, 2] : (tensor<32x32x1xf32>) -> tensor<32x32x48xf32>
    %324 = stablehlo.subtract %318, %323 : tensor<32x32x48xf32>
    %325 = stablehlo.multiply %324, %324 : tensor<32x32x48xf32>
    %cst_57 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %326 = stablehlo.reduce(%325 init: %cst_57) applies stablehlo.add across dimensions = [2] : (tensor<32x32x48xf32>, tensor<f32>) -> tensor<32x32xf32>
    %327 = stablehlo.broadcast_in_dim %326, dims = [0, 1] : (tensor<32x32xf32>) -> tensor<32x32x1xf32>
    %cst_58 = stablehlo.constant dense<4.800000e+01> : tensor<f32>
    %328 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<32x32x1xf32>
    %329 = stablehlo.divide %327, %328 : tensor<32x32x1xf32>
    %cst_59 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %330 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<32x32x1xf32>
    %331 = stablehlo.add %329, %330 : tensor<32x32x1xf32>
    %332 = stablehlo.rsqrt %331 : tensor<32x32x1xf32>
    %333 = stablehlo.broadcast_in_dim %332, dims = [0, 1, 2] : (tensor<32x32x1xf32>) -> tensor<32x32x48xf32>
    %334 = stablehlo.multiply %324, %333 : tensor<32x32x48xf32>
    %c_60 = stablehlo.constant dense<0> : tensor<i32>
    %335 = call @encode$_pad_0(%334, %c_60) : (tensor<32x32x48xf32>, tensor<i32>) -> tensor<34x34x48xf32>
    %336 = stablehlo.slice %335 [0:32, 0:32, 0:48] : (tensor<34x34x48xf32>) -> tensor<32x32x48xf32>
    %337 = stablehlo.slice %335 [0:32, 1:33, 0:48] : (tensor<34x34x48xf32>) -> tensor<32x32x48xf32>
    %338 = stablehlo.slice %335 [0:32, 2:34, 0:48] : (tensor<34x34x48xf32>) -> tensor<32x32x48xf32>
    %339 = stablehlo.slice %335 [1:33, 0:32, 0:48] : (tensor<34x34x48xf32>) -> tensor<32x32x48xf32>
    %340 = stablehlo.slice %335 [1:33, 1:33, 0:48] : (tensor<34x34x48xf32>) -> tensor<32x32x48xf32>
    %341 = stablehlo.slice %335 [1:33, 2:34, 0:48] : (tensor<34x34x48xf32>) -> tensor<32x32x48xf32>
    %342 = stablehlo.slice %335 [2:34, 0:32, 0:48] : (tensor<34x34x48xf32>) -> tensor<32x32x48xf32>
    %343 = stablehlo.slice %335 [2:34, 1:33, 0:48] : (tensor<34x34x48xf32>) -> tensor<32x32x48xf32>
    %344 = stablehlo.slice %335 [2:34, 2:34, 0:48] : (tensor<34x34x48xf32>) -> tensor<32x32x48xf32>
    %345 = stablehlo.concatenate %336, %337, %338, %339, %340, %341, %342, %343, %344, dim = 2 : (tensor<32x32x48xf32>, tensor<32x32x48xf32>, tensor<32x32x48xf32>, tensor<32x32x48xf32>, tensor<32x32x48xf32>, tensor<32x32x48xf32>, tensor<32x32x48xf32>, tensor<32x32x48xf32>, tensor<32x32x48xf32>) -> tensor<32x32x432xf32>
    %346 = stablehlo.dot_general %345, %$fine3.w, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x32x432xf32>, tensor<432x48xf32>) -> tensor<32x32x48xf32>
    %347 = stablehlo.broadcast_in_dim %$fine3.b, dims = [2] : (tensor<48xf32>) -> tensor<1x1x48xf32>
    %348 = stablehlo.broadcast_in_dim %347, dims = [0, 1, 2] : (tensor<1x1x48xf32>) -> tensor<32x32x48xf32>
    %349 = stablehlo.add %346, %348 : tensor<32x32x48xf32>
    %350 = call @encode$relu_1(%349) : (tensor<32x32x48xf32>) -> tensor<32x32x48xf32>
    %351 = stablehlo.add %318, %350 : tensor<32x32x48xf32>
    %352 = stablehlo.reshape %351 : (tensor<32x32x48xf32>) -> tensor<16x2x16x2x48xf32>
    %353 = stablehlo.transpose %352, dims = [0, 2, 1, 3, 4] : (tensor<16x2x16x2x48xf32>) -> tensor<16x16x2x2x48xf32>
    %354 = stablehlo.reshape %353 : (tensor<16x16x2x2x48xf32>) -> tensor<16x16x192xf32>
    %355 = stablehlo.dot_general %354, %$coarse.in.w, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x16x192xf32>, tensor<192x96xf32>) -> tensor<16x16x96xf32>
    %356 = stablehlo.broadcast_in_dim %$coarse.in.b, dims = [2] : (tensor<96xf32>) -> tensor<1x1x96xf32>
    %357 = stablehlo.broadcast_in_dim %356, dims = [0, 1, 2] : (tensor<1x1x96xf32>) -> tensor<16x16x96xf32>
    %358 = stablehlo.add %355, %357 : tensor<16x16x96xf32>
    %cst_61 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %359 = stablehlo.reduce(%358 init: %cst_61) applies stablehlo.add across dimensions = [2] : (tensor<16x16x96xf32>, tensor<f32>) -> tensor<16x16xf32>
    %360 = stablehlo.broadcast_in_dim %359, dims = [0, 1] : (tensor<16x16xf32>) -> tensor<16x16x1xf32>
    %cst_62 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %361 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<16x16x1xf32>
    %362 = stablehlo.divide %360, %361 : tensor<16x16x1xf32>
    %363 = stablehlo.broadcast_in_dim %362, dims = [0, 1, 2] : (tensor<16x16x1xf32>) -> tensor<16x16x96xf32>
    %364 = stablehlo.subtract %358, %363 : tensor<16x16x96xf32>
    %365 = stablehlo.multiply %364, %364 : tensor<16x16x96xf32>
    %cst_63 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %366 = stablehlo.reduce(%365 init: %cst_63) applies stablehlo.add across dimensions = [2] : (tensor<16x16x96xf32>, tensor<f32>) -> tensor<16x16xf32>
    %367 = stablehlo.broadcast_in_dim %366, dims = [0, 1] : (tensor<16x16xf32>) -> tensor<16x16x1xf32>
    %cst_64 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %368 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f32>) -> tensor<16x16x1xf32>
    %369 = stablehlo.divide %367, %368 : tensor<16x16x1xf32>
    %cst_65 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %370 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f32>) -> tensor<16x16x1xf32>
    %371 = stablehlo.add %369, %370 : tensor<16x16x1xf32>
    %372 = stablehlo.rsqrt %371 : tensor<16x16x1xf32>
    %373 = stablehlo.broadcast_in_dim %372, dims = [0, 1, 2] : (tensor<16x16x1xf32>) -> tensor<16x16x96xf32>
    %374 = stablehlo.multiply %364, %373 : tensor<16x16x96xf32>
    %c_66 = stablehlo.constant dense<0> : tensor<i32>
    %375 = call @encode$_pad_2(%374, %c_66) : (tensor<16x16x96xf32>, tensor<i32>) -> tensor<18x18x96xf32>
    %376 = stablehlo.slice %375 [0:16, 0:16, 0:96] : (tensor<18x18x96xf32>) -> tensor<16x16x96xf32>
    %377 = stablehlo.slice %375 [0:16, 1:17, 0:96] : (tensor<18x18x96xf32>) -> tensor<16x16x96xf32>
    %378 = stablehlo.slice %375 [0:16, 2:18, 0:96] : (tensor<18x18x96xf32>) -> tensor<16x16x96xf32>
    %379 = stablehlo.slice %375 [1:17, 0:16, 0:96] : (tensor<18x18x96xf32>) -> tensor<16x16x96xf32>
    %380 = stablehlo.slice %375 [1:17, 1:17, 0:96] : (tensor<18x18x96xf32>) -> tensor<16x16x96xf32>
    %381 = stablehlo.slice %375 [1:17, 2:18, 0:96] : (tensor<18x18x96xf32>) -> tensor<16x16x96xf32>
    %382 = stablehlo.slice %375 [2:18, 0:16, 0:96] : (tensor<18x18x96xf32>) -> tensor<16x16x96xf32>
    %383 = stablehlo.slice %375 [2:18, 1:17, 0:96] : (tensor<18x18x96xf32>) -> tensor<16x16x96xf32>
    %384 = stablehlo.slice %375 [2:18, 2:18, 0:96] : (tensor<18x18x96xf32>) -> tensor<16x16x96xf32>
    %385 = stablehlo.concatenate %376, %377, %378, %379, %380, %381, %382, %383, %384, dim = 2 : (tensor<16x16x96xf32>, tensor<16x16x96xf32>, tensor<16x16x96xf32>, tensor<16x16x96xf32>, tensor<16x16x96xf32>, tensor<16x16x96xf32>, tensor<16x16x96xf32>, tensor<16x16x96xf32>, tensor<16x16x96xf32>) -> tensor<16x16x864xf32>
    %386 = stablehlo.dot_general %385, %$coarse0.w, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x16x864xf32>, tensor<864x96xf32>) -> tensor<16x16x96xf32>
    %387 = stablehlo.broadcast_in_dim %$coarse0.b, dims = [2] : (tensor<96xf32>) -> tensor<1x1x96xf32>
    %388 = stablehlo.broadcast_in_dim %387, dims = [0, 1, 2] : (tensor<1x1x96xf32>) -> tensor<16x16x96xf32>
    %389 = stablehlo.add %386, %388 : tensor<16x16x96xf32>
    %390 = call @encode$relu_3(%389) : (tensor<16x16x96xf32>) -> tensor<16x16x96xf32>
    %391 = stablehlo.add %358, %390 : tensor<16x16x96xf32>
    %cst_67 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %392 = stablehlo.reduce(%391 init: %cst_67) applies stablehlo.add across dimensions = [2] : (tensor<16x16x96xf32>, tensor<f32>) -> tensor<16x16xf32>
    %393 = stablehlo.broadcast_in_dim %392, dims = [0, 1] : (tensor<16x16xf32>) -> tensor<16x16x1xf32>
    %cst_68 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %394 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f32>) -> tensor<16x16x1xf32>
    %395 = stablehlo.divide %393, %394 : tensor<16x16x1xf32>
    %396 = stablehlo.broadcast_in_dim %395, dims = [0, 1, 2] : (tensor<16x16x1xf32>) -> tensor<16x16x96xf32>
    %397 = stablehlo.subtract %391, %396 : tensor<16x16x96xf32>
    %398 = stablehlo.multiply %397, %397 : tensor<16x16x96xf32>
    %cst_69 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %399 = stablehlo.reduce(%398 init: %cst_69) applies stablehlo.add across dimensions = [2] : (tensor<16x16x96xf32>, tensor<f32>) -> tensor<16x16xf32>
    %400 = stablehlo.broadcast_in_dim %399, dims = [0, 1] : (tensor<16x16xf32>) -> tensor<16x16x1xf32>
    %cst_70 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %401 = stablehlo.broadcast_in_dim %cst_70, dims = [] : (tensor<f32>) -> tensor<16x16x1xf32>
    %402 = stablehlo.divide %400, %401 : tensor<16x16x1xf32>
    %cst_71 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %403 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f32>) -> tensor<16x16x1xf32>
    %404 = stablehlo.add %402, %403 : tensor<16x16x1xf32>
    %405 = stablehlo.rsqrt %404 : tensor<16x16x1xf32>
    %406 = stablehlo.broadcast_in_dim %405, dims = [0, 1, 2] : (tensor<16x16x1xf32>) -> tensor<16x16x96xf32>
    %407 = stablehlo.multiply %397, %406 : tensor<16x16x96xf32>
    %c_72 = stablehlo.constant dense<0> : tensor<i32>
    %408 = call @encode$_pad_2(%407, %c_72) : (tensor<16x16x96xf32>, tensor<i32>) -> tensor<18x18x96xf32>
    %409 = stablehlo.slice %408 [0:16, 0:16, 0:96] : (tensor<18x18x96xf32>) -> tensor<16x16x96xf32>
    %410 = stablehlo.slice %408 [0:16, 1:17, 0:96] : (tensor<18x18x96xf32>) -> tensor<16x16x96xf32>
    %411 = stablehlo.slice %408 [0:16, 2:18, 0:96] : (tensor<18x18x96xf32>) -> tensor<16x16x96xf32>
    %412 = stablehlo.slice %408 [1:17, 0:16, 0:96] : (tensor<18x18x96xf32>) -> tensor<16x16x96xf32>
    %413 = stablehlo.slice %408 [1:17, 1:17, 0:96] : (tensor<18x18x96xf32>) -> tensor<16x16x96xf32>
    %414 = stablehlo.slice %408 [1:17, 2:18, 0:96] : (tensor<18x18x96xf32>) -> tensor<16x16x96xf32>
    %415 = stablehlo.slice %408 [2:18, 0:16, 0:96] : (tensor<18x18x96xf32>) -> tensor<16x16x96xf32>
    %416 = stablehlo.slice %408 [2:18, 1:17, 0:96] : (tensor<18x18x96xf32>) -> tensor<16x16x96xf32>
    %417 = stablehlo.slice %408 [2:18, 2:18, 0:96] : (tensor<18x18x96xf32>) -> tensor<16x16x96xf32>
    %418 = stablehlo.concatenate %409, %410, %411, %412, %413, %414, %415, %416, %417, dim = 2 : (tensor<16x16x96xf32>, tensor<16x16x96xf32>, tensor<16x16x96xf32>, tensor<16x16x96xf32>, tensor<16x16x96xf32>, tensor<16x16x96xf32>, tensor<16x16x96xf32>, tensor<16x16x96xf32>, tensor<16x16x96xf32>) -> tensor<16x16x864xf32>
    %419 = stablehlo.dot_general %418, %$coarse1.w, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x16x864xf32>, tensor<864x96xf32>) -> tensor<16x16x96xf32>
    %420 = stablehlo.broadcast_in_dim %$coarse1.b, dims = [2] : (tensor<96xf32>) -> tensor<1x1x96xf32>
    %421 = stablehlo.broadcast_in_dim %420, dims = [0, 1, 2] : (tensor<1x1x96xf32>) -> tensor<16x16x96xf32>
    %422 = stablehlo.add %419, %421 : tensor<16x16x96xf32>
    %423 = call @encode$relu_3(%422) : (tensor<16x16x96xf32>) -> tensor<16x16x96xf32>
    %424 = stablehlo.add %391, %423 : tensor<16x16x96xf32>
    %cst_73 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %425 = stablehlo.reduce(%424 init: %cst_73) applies stablehlo.add across dimensions = [2] : (tensor<16x16x96xf32>, tensor<f32>) -> tensor<16x16xf32>
    %426 = stablehlo.broadcast_in_dim %425, dims = [0, 1] : (tensor<16x16xf32>) -> tensor<16x16x1xf32>
    %cst_74 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %427 = stablehlo.broadcast_in_dim %cst_74, dims = [] : (tensor<f32>) -> tensor<16x16x1xf32>
    %428 = stablehlo.divide %426, %427 : tensor<16x16x1xf32>
    %429 = stablehlo.broadcast_in_dim %428, dims = [0, 1, 2] : (tensor<16x16x1xf32>) -> tensor<16x16x96xf32>
    %430 = stablehlo.subtract %424, %429 : tensor<16x16x96xf32>
    %431 = stablehlo.multiply %430, %430 : tensor<16x16x96xf32>
    %cst_75 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %432 = stablehlo.reduce(%431 init: %cst_75) applies stablehlo.add across dimensions = [2] : (tensor<16x16x96xf32>, tensor<f32>) -> tensor<16x16xf32>
    %433 = stablehlo.broadcast_in_dim %432, dims = [0, 1] : (tensor<16x16xf32>) -> tensor<16x16x1xf32>
    %cst_76 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %434 = stablehlo.broadcast_in_dim %cst_76, dims = [] : (tensor<f32>) -> tensor<16x16x1xf32>
    %435 = stablehlo.divide %433, %434 : tensor<16x16x1xf32>
    %cst_77 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %436 = stablehlo.broadcast_in_dim %cst_77, dims = [] : (tensor<f32>) -> tensor<16x16x1xf32>
    %437 = stablehlo.add %435, %436 : tensor<16x16x1xf32>
    %438 = stablehlo.rsqrt %437 : tensor<16x16x1xf32>
    %439 = stablehlo.broadcast_in_dim %438, dims = [0, 1, 2] : (tensor<16x16x1xf32>) -> tensor<16x16x96xf32>
    %440 = stablehlo.multiply %430, %439 : tensor<16x16x96xf32>
    %c_78 = stablehlo.constant dense<0> : tensor<i32>
    %441 = call @encode$_pad_2(%440, %c_78) : (tensor<16x16x96xf32>, tensor<i32>) -> tensor<18x18x96xf32>
    %442 = stablehlo.slice %441 [0:16, 0:16, 0:96] : (tensor<18x18x96xf32>) -> tensor<16x16x96xf32>
    %443 = stablehlo.slice %441 [0:16, 1:17, 0:96] : (tensor<18x18x96xf32>) -> tensor<16x16x96xf32>
    %444 = stablehlo.slice %441 [0:16, 2:18, 0:96] : (tensor<18x18x96xf32>) -> tensor<16x16x96xf32>
    %445 = stablehlo.slice %441 [1:17, 0:16, 0:96] : (tensor<18x18x96xf32>) -> tensor<16x16x96xf32>
    %446 = stablehlo.slice %441 [1:17, 1:17, 0:96] : (tensor<18x18x96xf32>) -> tensor<16x16x96xf32>
    %447 = stablehlo.slice %441 [1:17, 2:18, 0:96] : (tensor<18x18x96xf32>) -> tensor<16x16x96xf32>
    %448 = stablehlo.slice %441 [2:18, 0:16, 0:96] : (tensor<18x18x96xf32>) -> tensor<16x16x96xf32>
    %449 = stablehlo.slice %441 [2:18, 1:17, 0:96] : (tensor<18x18x96xf32>) -> tensor<16x16x96xf32>
    %450 = stablehlo.slice %441 [2:18, 2:18, 0:96] : (tensor<18x18x96xf32>) -> tensor<16x16x96xf32>
    %451 = stablehlo.concatenate %442, %443, %444, %445, %446, %447, %448, %449, %450, dim = 2 : (tensor<16x16x96xf32>, tensor<16x16x96xf32>, tensor<16x16x96xf32>, tensor<16x16x96xf32>, tensor<16x16x96xf32>, tensor<16x16x96xf32>, tensor<16x16x96xf32>, tensor<16x16x96xf32>, tensor<16x16x96xf32>) -> tensor<16x16x864xf32>
    %452 = stablehlo.dot_general %451, %$coarse2.w, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x16x864xf32>, tensor<864x96xf32>) -> tensor<16x16x96xf32>
    %453 = stablehlo.broadcast_in_dim %$coarse2.b, dims = [2] : (tensor<96xf32>) -> tensor<1x1x96xf32>
    %454 = stablehlo.broadcast_in_dim %453, dims = [0, 1, 2] : (tensor<1x1x96xf32>) -> tensor<16x16x96xf32>
    %455 = stablehlo.add %452, %454 : tensor<16x16x96xf32>
    %456 = call @encode$relu_3(%455) : (tensor<16x16x96xf32>) -> tensor<16x16x96xf32>
    %457 = stablehlo.add %424, %456 : tensor<16x16x96xf32>
    %cst_79 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %458 = stablehlo.reduce(%457 init: %cst_79) applies stablehlo.add across dimensions = [2] : (tensor<16x16x96xf32>, tensor<f32>) -> tensor<16x16xf32>
    %459 = stablehlo.broadcast_in_dim %458, dims = [0, 1] : (tensor<16x16xf32>) -> tensor<16x16x1xf32>
    %cst_80 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %460 = stablehlo.broadcast_in_dim %cst_80, dims = [] : (tensor<f32>) -> tensor<16x16x1xf32>
    %461 = stablehlo.divide %459, %460 : tensor<16x16x1xf32>
    %462 = stablehlo.broadcast_in_dim %461, dims = [0, 1, 2] : (tensor<16x16x1xf32>) -> tensor<16x16x96xf32>
    %463 = stablehlo.subtract %457, %462 : tensor<16x16x96xf32>
    %464 = stablehlo.multiply %463, %463 : tensor<16x16x96xf32>
    %cst_81 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %465 = stablehlo.reduce(%464 init: %cst_81) applies stablehlo.add across dimensions = [2] : (tensor<16x16x96xf32>, tensor<f32>) -> tensor<16x16xf32>
    %466 = stablehlo.broadcast_in_dim %465, dims = [0, 1] : (tensor<16x16xf32>) -> tensor<16x16x1xf32>
    %cst_82 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %467 = stablehlo.broadcast_in_dim %cst_82, dims = [] : (tensor<f32>) -> tensor<16x16x1xf32>
    %468 = stablehlo.divide %466, %467 : tensor<16x16x1xf32>
    %cst_83 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %469 = stablehlo.broadcast_in_dim %cst_83, dims = [] : (tensor<f32>) -> tensor<16x16x1xf32>
    %470 = stablehlo.add %468, %469 : tensor<16x16x1xf32>
    %471 = stablehlo.rsqrt %470 : tensor<16x16x1xf32>
    %472 = stablehlo.broadcast_in_dim %471, dims = [0, 1, 2] : (tensor<16x16x1xf32>) -> tensor<16x16x96xf32>
    %473 = stablehlo.multiply %463, %472 : tensor<16x16x96xf32>
    %c_84 = stablehlo.constant dense<0> : tensor<i32>
    %474 = call @encode$_pad_2(%473, %c_84) : (tensor<16x16x96xf32>, tensor<i32>) -> tensor<18x18x96xf32>
    %475 = stablehlo.slice %474 [0:16, 0:16, 0:96] : (tensor<18x18x96xf32>) -> tensor<16x16x96xf32>
    %476 = stablehlo.slice %474 [0:16, 1:17, 0:96] : (tensor<18x18x96xf32>) -> tensor<16x16x96xf32>
    %477 = stablehlo.slice %474 [0:16, 2:18, 0:96] : (tensor<18x18x96xf32>) -> tensor<16x16x96xf32>
    %478 = stablehlo.slice %474 [1:17, 0:16, 0:96] : (tensor<18x18x96xf32>) -> tensor<16x16x96xf32>
    %479 = stablehlo.slice %474 [1:17, 1:17, 0:96] : (tensor<18x18x96xf32>) -> tensor<16x16x96xf32>
    %480 = stablehlo.slice %474 [1:17, 2:18, 0:96] : (tensor<18x18x96xf32>) -> tensor<16x16x96xf32>
    %481 = stablehlo.slice %474 [2:18, 0:16, 0:96] : (tensor<18x18x96xf32>) -> tensor<16x16x96xf32>
    %482 = stablehlo.slice %474 [2:18, 1:17, 0:96] : (tensor<18x18x96xf32>) -> tensor<16x16x96xf32>
    %483 = stablehlo.slice %474 [2:18, 2:18, 0:96] : (tensor<18x18x96xf32>) -> tensor<16x16x96xf32>
    %484 = stablehlo.concatenate %475, %476, %477, %478, %479, %480, %481, %482, %483, dim = 2 : (tensor<16x16x96xf32>, tensor<16x16x96xf32>, tensor<16x16x96xf32>, tensor<16x16x96xf32>, tensor<16x16x96xf32>, tensor<16x16x96xf32>, tensor<16x16x96xf32>, tensor<16x16x96xf32>, tensor<16x16x96xf32>) -> tensor<16x16x864xf32>
    %485 = stablehlo.dot_general %484, %$coarse3.w, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x16x864xf32>, tensor<864x96xf32>) -> tensor<16x16x96xf32>
    %486 = stablehlo.broadcast_in_dim %$coarse3.b, dims = [2] : (tensor<96xf32>) -> tensor<1x1x96xf32>
    %487 = stablehlo.broadcast_in_dim %486, dims = [0, 1, 2] : (tensor<1x1x96xf32>) -> tensor<16x16x96xf32>
    %488 = stablehlo.add %485, %487 : tensor<16x16x96xf32>
    %489 = call @encode$relu_3(%488) : (tensor<16x16x96xf32>) -> tensor<16x16x96xf32>
    %490 = stablehlo.add %457, %489 : tensor<16x16x96xf32>
    %cst_85 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %491 = stablehlo.reduce(%490 init: %cst_85) applies stablehlo.add across dimensions = [2] : (tensor<16x16x96xf32>, tensor<f32>) -> tensor<16x16xf32>
    %492 = stablehlo.broadcast_in_dim %491, dims = [0, 1] : (tensor<16x16xf32>) -> tensor<16x16x1xf32>
    %cst_86 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %493 = stablehlo.broadcast_in_dim %cst_86, dims = [] : (tensor<f32>) -> tensor<16x16x1xf32>
    %494 = stablehlo.divide %492, %493 : tensor<16x16x1xf32>
    %495 = stablehlo.broadcast_in_dim %494, dims = [0, 1, 2] : (tensor<16x16x1xf32>) -> tensor<16x16x96xf32>
    %496 = stablehlo.subtract %490, %495 : tensor<16x16x96xf32>
    %497 = stablehlo.multiply %496, %496 : tensor<16x16x96xf32>
    %cst_87 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %498 = stablehlo.reduce(%497 init: %cst_87) applies stablehlo.add across dimensions = [2] : (tensor<16x16x96xf32>, tensor<f32>) -> tensor<16x16xf32>
    %499 = stablehlo.broadcast_in_dim %498, dims = [0, 1] : (tensor<16x16xf32>) -> tensor<16x16x1xf32>
    %cst_88 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %500 = stablehlo.broadcast_in_dim %cst_88, dims = [] : (tensor<f32>) -> tensor<16x16x1xf32>
    %501 = stablehlo.divide %499, %500 : tensor<16x16x1xf32>
    %cst_89 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %502 = stablehlo.broadcast_in_dim %cst_89, dims = [] : (tensor<f32>) -> tensor<16x16x1xf32>
    %503 = stablehlo.add %501, %502 : tensor<16x16x1xf32>
    %504 = stablehlo.rsqrt %503 : tensor<16x16x1xf32>
    %505 = stablehlo.broadcast_in_dim %504, dims = [0, 1, 2] : (tensor<16x16x1xf32>) -> tensor<16x16x96xf32>
    %506 = stablehlo.multiply %496, %505 : tensor<16x16x96xf32>
    %c_90 = stablehlo.constant dense<0> : tensor<i32>
    %507 = call @encode$_pad_2(%506, %c_90) : (tensor<16x16x96xf32>, tensor<i32>) -> tensor<18x18x96xf32>
    %508 = stablehlo.slice %507 [0:16, 0:16, 0:96] : (tensor<18x18x96xf32>) -> tensor<16x16x96xf32>
    %509 = stablehlo.slice %507 [0:16, 1:17, 0:96] : (tensor<18x18x96xf32>) -> tensor<16x16x96xf32>
    %510 = stablehlo.slice %507 [0:16, 2:18, 0:96] : (tensor<18x18x96xf32>) -> tensor<16x16x96xf32>
    %511 = stablehlo.slice %507 [1:17, 0:16, 0:96] : (tensor<18x18x96xf32>) -> tensor<16x16x96xf32>
    %512 = stablehlo.slice %507 [1:17, 1:17, 0:96] : (tensor<18x18x96xf32>) -> tensor<16x16x96xf32>
    %513 = stablehlo.slice %507 [1:17, 2:18, 0:96] : (tensor<18x18x96xf32>) -> tensor<16x16x96xf32>
    %514 = stablehlo.slice %507 [2:18, 0:16, 0:96] : (tensor<18x18x96xf32>) -> tensor<16x16x96xf32>
    %515 = stablehlo.slice %507 [2:18, 1:17, 0:96] : (tensor<18x18x96xf32>) -> tensor<16x16x96xf32>
    %516 = stablehlo.slice %507 [2:18, 2:18, 0:96] : (tensor<18x18x96xf32>) -> tensor<16x16x96xf32>
    %517 = stablehlo.concatenate %508, %509, %510, %511, %512, %513, %514, %515, %516, dim = 2 : (tensor<16x16x96xf32>, tensor<16x16x96xf32>, tensor<16x16x96xf32>, tensor<16x16x96xf32>, tensor<16x16x96xf32>, tensor<16x16x96xf32>, tensor<16x16x96xf32>, tensor<16x16x96xf32>, tensor<16x16x96xf32>) -> tensor<16x16x864xf32>
    %518 = stablehlo.dot_general %517, %$coarse4.w, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x16x864xf32>, tensor<864x96xf32>) -> tensor<16x16x96xf32>
    %519 = stablehlo.broadcast_in_dim %$coarse4.b, dims = [2] : (tensor<96xf32>) -> tensor<1x1x96xf32>
    %520 = stablehlo.broadcast_in_dim %519, dims = [0, 1, 2] : (tensor<1x1x96xf32>) -> tensor<16x16x96xf32>
    %521 = stablehlo.add %518, %520 : tensor<16x16x96xf32>
    %522 = call @encode$relu_3(%521) : (tensor<16x16x96xf32>) -> tensor<16x16x96xf32>
    %523 = stablehlo.add %490, %522 : tensor<16x16x96xf32>
    %cst_91 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %524 = stablehlo.reduce(%523 init: %cst_91) applies stablehlo.add across dimensions = [2] : (tensor<16x16x96xf32>, tensor<f32>) -> tensor<16x16xf32>
    %525 = stablehlo.broadcast_in_dim %524, dims = [0, 1] : (tensor<16x16xf32>) -> tensor<16x16x1xf32>
    %cst_92 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %526 = stablehlo.broadcast_in_dim %cst_92, dims = [] : (tensor<f32>) -> tensor<16x16x1xf32>
    %527 = stablehlo.divide %525, %526 : tensor<16x16x1xf32>
    %528 = stablehlo.broadcast_in_dim %527, dims = [0, 1, 2] : (tensor<16x16x1xf32>) -> tensor<16x16x96xf32>
    %529 = stablehlo.subtract %523, %528 : tensor<16x16x96xf32>
    %530 = stablehlo.multiply %529, %529 : tensor<16x16x96xf32>
    %cst_93 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %531 = stablehlo.reduce(%530 init: %cst_93) applies stablehlo.add across dimensions = [2] : (tensor<16x16x96xf32>, tensor<f32>) -> tensor<16x16xf32>
    %532 = stablehlo.broadcast_in_dim %531, dims = [0, 1] : (tensor<16x16xf32>) -> tensor<16x16x1xf32>
    %cst_94 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %533 = stablehlo.broadcast_in_dim %cst_94, dims = [] : (tensor<f32>) -> tensor<16x16x1xf32>
    %534 = stablehlo.divide %532, %533 : tensor<16x16x1xf32>
    %cst_95 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %535 = stablehlo.broadcast_in_dim %cst_95, dims = [] : (tensor<f32>) -> tensor<16x16x1xf32>
    %536 = stablehlo.add %534, %535 : tensor<16x16x1xf32>
    %537 = stablehlo.rsqrt %536 : tensor<16x16x1xf32>
    %538 = stablehlo.broadcast_in_dim %537, dims = [0, 1, 2] : (tensor<16x16x1xf32>) -> tensor<16x16x96xf32>
    %539 = stablehlo.multiply %529, %538 : tensor<16x16x96xf32>
    %c_96 = stablehlo.constant dense<0> : tensor<i32>
    %540 = call @encode$_pad_2(%539, %c_96) : (tensor<16x16x96xf32>, tensor<i32>) -> tensor<18x18x96xf32>
    %541 = stablehlo.slice %540 [0:16, 0:16, 0:96] : (tensor<18x18x96xf32>) -> tensor<16x16x96xf32>
    %542 = stablehlo.slice %540 [0:16, 1:17, 0:96] : (tensor<18x18x96xf32>) -> tensor<16x16x96xf32>
    %543 = stablehlo.slice %540 [0:16, 2:18, 0:96] : (tensor<18x18x96xf32>) -> tensor<16x16x96xf32>
    %544 = stablehlo.slice %540 [1:17, 0:16, 0:96] : (tensor<18x18x96xf32>) -> tensor<16x16x96xf32>
    %545 = stablehlo.slice %540 [1:17, 1:17, 0:96] : (tensor<18x18x96xf32>) -> tensor<16x16x96xf32>
    %546 = stablehlo.slice %540 [1:17, 2:18, 0:96] : (tensor<18x18x96xf32>) -> tensor<16x16x96xf32>
    %547 = stablehlo.slice %540 [2:18, 0:16, 0:96] : (tensor<18x18x96xf32>) -> tensor<16x16x96xf32>
    %548 = stablehlo.slice %540 [2:18, 1:17, 0:96] : (tensor<18x18x96xf32>) -> tensor<16x16x96xf32>
    %549 = stablehlo.slice %540 [2:18, 2:18, 0:96] : (tensor<18x18x96xf32>) -> tensor<16x16x96xf32>
    %550 = stablehlo.concatenate %541, %542, %543, %544, %545, %546, %547, %548, %549, dim = 2 : (tensor<16x16x96xf32>, tensor<16x16x96xf32>, tensor<16x16x96xf32>, tensor<16x16x96xf32>, tensor<16x16x96xf32>, tensor<16x16x96xf32>, tensor<16x16x96xf32>, tensor<16x16x96xf32>, tensor<16x16x96xf32>) -> tensor<16x16x864xf32>
    %551 = stablehlo.dot_general %550, %$coarse5.w, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x16x864xf32>, tensor<864x96xf32>) -> tensor<16x16x96xf32>
    %552 = stablehlo.broadcast_in_dim %$coarse5.b, dims = [2] : (tensor<96xf32>) -> tensor<1x1x96xf32>
    %553 = stablehlo.broadcast_in_dim %552, dims = [0, 1, 2] : (tensor<1x1x96xf32>) -> tensor<16x16x96xf32>
    %554 = stablehlo.add %551, %553 : tensor<16x16x96xf32>
    %555 = call @encode$relu_3(%554) : (tensor<16x16x96xf32>) -> tensor<16x16x96xf32>
    %556 = stablehlo.add %523, %555 : tensor<16x16x96xf32>
    %cst_97 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %557 = stablehlo.reduce(%556 init: %cst_97) applies stablehlo.add across dimensions = [2] : (tensor<16x16x96xf32>, tensor<f32>) -> tensor<16x16xf32>
    %558 = stablehlo.broadcast_in_dim %557, dims = [0, 1] : (tensor<16x16xf32>) -> tensor<16x16x1xf32>
    %cst_98 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %559 = stablehlo.broadcast_in_dim %cst_98, dims = [] : (tensor<f32>) -> tensor<16x16x1xf32>
    %560 = stablehlo.divide %558, %559 : tensor<16x16x1xf32>
    %561 = stablehlo.broadcast_in_dim %560, dims = [0, 1, 2] : (tensor<16x16x1xf32>) -> tensor<16x16x96xf32>
    %562 = stablehlo.subtract %556, %561 : tensor<16x16x96xf32>
    %563 = stablehlo.multiply %562, %562 : tensor<16x16x96xf32>
    %cst_99 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %564 = stablehlo.reduce(%563 init: %cst_99) applies stablehlo.add across dimensions = [2] : (tensor<16x16x96xf32>, tensor<f32>) -> tensor<16x16xf32>
    %565 = stablehlo.broadcast_in_dim %564, dims = [0, 1] : (tensor<16x16xf32>) -> tensor<16x16x1xf32>
    %cst_100 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %566 = stablehlo.broadcast_in_dim %cst_100, dims = [] : (tensor<f32>) -> tensor<16x16x1xf32>
    %567 = stablehlo.divide %565, %566 : tensor<16x16x1xf32>
    %cst_101 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %568 = stablehlo.broadcast_in_dim %cst_101, dims = [] : (tensor<f32>) -> tensor<16x16x1xf32>
    %569 = stablehlo.add %567, %568 : tensor<16x16x1xf32>
    %570 = stablehlo.rsqrt %569 : tensor<16x16x1xf32>
    %571 = stablehlo.broadcast_in_dim %570, dims = [0, 1, 2] : (tensor<16x16x1xf32>) -> tensor<16x16x96xf32>
    %572 = stablehlo.multiply %562, %571 : tensor<16x16x96xf32>
    %573 = stablehlo.reshape %572 : (tensor<16x16x96xf32>) -> tensor<256x96xf32>
    %574 = stablehlo.add %573, %$position : tensor<256x96xf32>
    %575 = stablehlo.dot_general %574, %$spot.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<256x96xf32>, tensor<96x1xf32>) -> tensor<256x1xf32>
    %576 = stablehlo.broadcast_in_dim %$spot.b, dims = [1] : (tensor<1xf32>) -> tensor<1x1xf32>
    %577 = stablehlo.broadcast_in_dim %576, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<256x1xf32>
    %578 = stablehlo.add %575, %577 : tensor<256x1xf32>
    %579 = stablehlo.reshape %578 : (tensor<256x1xf32>) -> tensor<256xf32>
    %cst_102 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %580 = stablehlo.reduce(%579 init: %cst_102) applies stablehlo.maximum across dimensions = [0] : (tensor<256xf32>, tensor<f32>) -> tensor<f32>
    %cst_103 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %581 = stablehlo.maximum %cst_103, %580 : tensor<f32>
    %582 = stablehlo.broadcast_in_dim %581, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %583 = stablehlo.broadcast_in_dim %582, dims = [0] : (tensor<1xf32>) -> tensor<256xf32>
    %584 = stablehlo.subtract %579, %583 : tensor<256xf32>
    %585 = stablehlo.exponential %584 : tensor<256xf32>
    %cst_104 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %586 = stablehlo.reduce(%585 init: %cst_104) applies stablehlo.add across dimensions = [0] : (tensor<256xf32>, tensor<f32>) -> tensor<f32>
    %587 = stablehlo.broadcast_in_dim %586, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %588 = stablehlo.broadcast_in_dim %587, dims = [0] : (tensor<1xf32>) -> tensor<256xf32>
    %589 = stablehlo.divide %585, %588 : tensor<256xf32>
    %590 = stablehlo.dot_general %589, %574, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<256xf32>, tensor<256x96xf32>) -> tensor<96xf32>
    %c_105 = stablehlo.constant dense<0> : tensor<i32>
    %591 = stablehlo.broadcast_in_dim %c_105, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %592 = stablehlo.compare LT, %arg1, %591, SIGNED : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi1>
    %c_106 = stablehlo.constant dense<32> : tensor<i32>
    %593 = stablehlo.broadcast_in_dim %c_106, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %594 = stablehlo.add %arg1, %593 : tensor<16xi32>
    %595 = stablehlo.select %592, %594, %arg1 : tensor<16xi1>, tensor<16xi32>
    %596 = stablehlo.broadcast_in_dim %595, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %597 = "stablehlo.gather"(%$embedding, %596) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 96>}> : (tensor<32x96xf32>, tensor<16x1xi32>) -> tensor<16x96xf32>
    %598 = stablehlo.add %597, %$word_position : tensor<16x96xf32>
    %599 = stablehlo.dot_general %590, %$spot_in.w, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<96xf32>, tensor<96x96xf32>) -> tensor<96xf32>
    %600 = stablehlo.add %599, %$spot_in.b : tensor<96xf32>
    %601 = stablehlo.broadcast_in_dim %600, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %602 = stablehlo.concatenate %$readout, %601, %598, dim = 0 : (tensor<8x96xf32>, tensor<1x96xf32>, tensor<16x96xf32>) -> tensor<25x96xf32>
    %cst_107 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %603 = stablehlo.reduce(%602 init: %cst_107) applies stablehlo.add across dimensions = [1] : (tensor<25x96xf32>, tensor<f32>) -> tensor<25xf32>
    %604 = stablehlo.broadcast_in_dim %603, dims = [0] : (tensor<25xf32>) -> tensor<25x1xf32>
    %cst_108 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %605 = stablehlo.broadcast_in_dim %cst_108, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %606 = stablehlo.divide %604, %605 : tensor<25x1xf32>
    %607 = stablehlo.broadcast_in_dim %606, dims = [0, 1] : (tensor<25x1xf32>) -> tensor<25x96xf32>
    %608 = stablehlo.subtract %602, %607 : tensor<25x96xf32>
    %609 = stablehlo.multiply %608, %608 : tensor<25x96xf32>
    %cst_109 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %610 = stablehlo.reduce(%609 init: %cst_109) applies stablehlo.add across dimensions = [1] : (tensor<25x96xf32>, tensor<f32>) -> tensor<25xf32>
    %611 = stablehlo.broadcast_in_dim %610, dims = [0] : (tensor<25xf32>) -> tensor<25x1xf32>
    %cst_110 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %612 = stablehlo.broadcast_in_dim %cst_110, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %613 = stablehlo.divide %611, %612 : tensor<25x1xf32>
    %cst_111 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %614 = stablehlo.broadcast_in_dim %cst_111, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %615 = stablehlo.add %613, %614 : tensor<25x1xf32>
    %616 = stablehlo.rsqrt %615 : tensor<25x1xf32>
    %617 = stablehlo.broadcast_in_dim %616, dims = [0, 1] : (tensor<25x1xf32>) -> tensor<25x96xf32>
    %618 = stablehlo.multiply %608, %617 : tensor<25x96xf32>
    %619 = stablehlo.dot_general %618, %$read0.self.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x96xf32>, tensor<96x288xf32>) -> tensor<25x288xf32>
    %620 = stablehlo.broadcast_in_dim %$read0.self.b, dims = [1] : (tensor<288xf32>) -> tensor<1x288xf32>
    %621 = stablehlo.broadcast_in_dim %620, dims = [0, 1] : (tensor<1x288xf32>) -> tensor<25x288xf32>
    %622 = stablehlo.add %619, %621 : tensor<25x288xf32>
    %623 = stablehlo.slice %622 [0:25, 0:96] : (tensor<25x288xf32>) -> tensor<25x96xf32>
    %624 = stablehlo.slice %622 [0:25, 96:192] : (tensor<25x288xf32>) -> tensor<25x96xf32>
    %625 = stablehlo.slice %622 [0:25, 192:288] : (tensor<25x288xf32>) -> tensor<25x96xf32>
    %626 = stablehlo.reshape %623 : (tensor<25x96xf32>) -> tensor<25x4x24xf32>
    %627 = stablehlo.transpose %626, dims = [1, 0, 2] : (tensor<25x4x24xf32>) -> tensor<4x25x24xf32>
    %628 = stablehlo.reshape %624 : (tensor<25x96xf32>) -> tensor<25x4x24xf32>
    %629 = stablehlo.transpose %628, dims = [1, 2, 0] : (tensor<25x4x24xf32>) -> tensor<4x24x25xf32>
    %630 = stablehlo.reshape %625 : (tensor<25x96xf32>) -> tensor<25x4x24xf32>
    %631 = stablehlo.transpose %630, dims = [1, 0, 2] : (tensor<25x4x24xf32>) -> tensor<4x25x24xf32>
    %632 = stablehlo.dot_general %627, %629, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x25x24xf32>, tensor<4x24x25xf32>) -> tensor<4x25x25xf32>
    %cst_112 = stablehlo.constant dense<0.204124153> : tensor<f32>
    %633 = stablehlo.broadcast_in_dim %cst_112, dims = [] : (tensor<f32>) -> tensor<4x25x25xf32>
    %634 = stablehlo.multiply %632, %633 : tensor<4x25x25xf32>
    %cst_113 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %635 = stablehlo.reduce(%634 init: %cst_113) applies stablehlo.maximum across dimensions = [2] : (tensor<4x25x25xf32>, tensor<f32>) -> tensor<4x25xf32>
    %cst_114 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %636 = stablehlo.broadcast_in_dim %cst_114, dims = [] : (tensor<f32>) -> tensor<4x25xf32>
    %637 = stablehlo.maximum %636, %635 : tensor<4x25xf32>
    %638 = stablehlo.broadcast_in_dim %637, dims = [0, 1] : (tensor<4x25xf32>) -> tensor<4x25x1xf32>
    %639 = stablehlo.broadcast_in_dim %638, dims = [0, 1, 2] : (tensor<4x25x1xf32>) -> tensor<4x25x25xf32>
    %640 = stablehlo.subtract %634, %639 : tensor<4x25x25xf32>
    %641 = stablehlo.exponential %640 : tensor<4x25x25xf32>
    %cst_115 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %642 = stablehlo.reduce(%641 init: %cst_115) applies stablehlo.add across dimensions = [2] : (tensor<4x25x25xf32>, tensor<f32>) -> tensor<4x25xf32>
    %643 = stablehlo.broadcast_in_dim %642, dims = [0, 1] : (tensor<4x25xf32>) -> tensor<4x25x1xf32>
    %644 = stablehlo.broadcast_in_dim %643, dims = [0, 1, 2] : (tensor<4x25x1xf32>) -> tensor<4x25x25xf32>
    %645 = stablehlo.divide %641, %644 : tensor<4x25x25xf32>
    %646 = stablehlo.dot_general %645, %631, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x25x25xf32>, tensor<4x25x24xf32>) -> tensor<4x25x24xf32>
    %647 = stablehlo.transpose %646, dims = [1, 0, 2] : (tensor<4x25x24xf32>) -> tensor<25x4x24xf32>
    %648 = stablehlo.reshape %647 : (tensor<25x4x24xf32>) -> tensor<25x96xf32>
    %649 = stablehlo.dot_general %648, %$read0.self_out.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x96xf32>, tensor<96x96xf32>) -> tensor<25x96xf32>
    %650 = stablehlo.broadcast_in_dim %$read0.self_out.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %651 = stablehlo.broadcast_in_dim %650, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<25x96xf32>
    %652 = stablehlo.add %649, %651 : tensor<25x96xf32>
    %653 = stablehlo.add %602, %652 : tensor<25x96xf32>
    %cst_116 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %654 = stablehlo.reduce(%653 init: %cst_116) applies stablehlo.add across dimensions = [1] : (tensor<25x96xf32>, tensor<f32>) -> tensor<25xf32>
    %655 = stablehlo.broadcast_in_dim %654, dims = [0] : (tensor<25xf32>) -> tensor<25x1xf32>
    %cst_117 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %656 = stablehlo.broadcast_in_dim %cst_117, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %657 = stablehlo.divide %655, %656 : tensor<25x1xf32>
    %658 = stablehlo.broadcast_in_dim %657, dims = [0, 1] : (tensor<25x1xf32>) -> tensor<25x96xf32>
    %659 = stablehlo.subtract %653, %658 : tensor<25x96xf32>
    %660 = stablehlo.multiply %659, %659 : tensor<25x96xf32>
    %cst_118 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %661 = stablehlo.reduce(%660 init: %cst_118) applies stablehlo.add across dimensions = [1] : (tensor<25x96xf32>, tensor<f32>) -> tensor<25xf32>
    %662 = stablehlo.broadcast_in_dim %661, dims = [0] : (tensor<25xf32>) -> tensor<25x1xf32>
    %cst_119 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %663 = stablehlo.broadcast_in_dim %cst_119, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %664 = stablehlo.divide %662, %663 : tensor<25x1xf32>
    %cst_120 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %665 = stablehlo.broadcast_in_dim %cst_120, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %666 = stablehlo.add %664, %665 : tensor<25x1xf32>
    %667 = stablehlo.rsqrt %666 : tensor<25x1xf32>
    %668 = stablehlo.broadcast_in_dim %667, dims = [0, 1] : (tensor<25x1xf32>) -> tensor<25x96xf32>
    %669 = stablehlo.multiply %659, %668 : tensor<25x96xf32>
    %670 = stablehlo.dot_general %669, %$read0.query.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x96xf32>, tensor<96x96xf32>) -> tensor<25x96xf32>
    %671 = stablehlo.broadcast_in_dim %$read0.query.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %672 = stablehlo.broadcast_in_dim %671, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<25x96xf32>
    %673 = stablehlo.add %670, %672 : tensor<25x96xf32>
    %674 = stablehlo.dot_general %574, %$read0.image.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<256x96xf32>, tensor<96x192xf32>) -> tensor<256x192xf32>
    %675 = stablehlo.broadcast_in_dim %$read0.image.b, dims = [1] : (tensor<192xf32>) -> tensor<1x192xf32>
    %676 = stablehlo.broadcast_in_dim %675, dims = [0, 1] : (tensor<1x192xf32>) -> tensor<256x192xf32>
    %677 = stablehlo.add %674, %676 : tensor<256x192xf32>
    %678 = stablehlo.slice %677 [0:256, 0:96] : (tensor<256x192xf32>) -> tensor<256x96xf32>
    %679 = stablehlo.slice %677 [0:256, 96:192] : (tensor<256x192xf32>) -> tensor<256x96xf32>
    %680 = stablehlo.reshape %673 : (tensor<25x96xf32>) -> tensor<25x4x24xf32>
    %681 = stablehlo.transpose %680, dims = [1, 0, 2] : (tensor<25x4x24xf32>) -> tensor<4x25x24xf32>
    %682 = stablehlo.reshape %678 : (tensor<256x96xf32>) -> tensor<256x4x24xf32>
    %683 = stablehlo.transpose %682, dims = [1, 2, 0] : (tensor<256x4x24xf32>) -> tensor<4x24x256xf32>
    %684 = stablehlo.reshape %679 : (tensor<256x96xf32>) -> tensor<256x4x24xf32>
    %685 = stablehlo.transpose %684, dims = [1, 0, 2] : (tensor<256x4x24xf32>) -> tensor<4x256x24xf32>
    %686 = stablehlo.dot_general %681, %683, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x25x24xf32>, tensor<4x24x256xf32>) -> tensor<4x25x256xf32>
    %cst_121 = stablehlo.constant dense<0.204124153> : tensor<f32>
    %687 = stablehlo.broadcast_in_dim %cst_121, dims = [] : (tensor<f32>) -> tensor<4x25x256xf32>
    %688 = stablehlo.multiply %686, %687 : tensor<4x25x256xf32>
    %cst_122 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %689 = stablehlo.reduce(%688 init: %cst_122) applies stablehlo.maximum across dimensions = [2] : (tensor<4x25x256xf32>, tensor<f32>) -> tensor<4x25xf32>
    %cst_123 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %690 = stablehlo.broadcast_in_dim %cst_123, dims = [] : (tensor<f32>) -> tensor<4x25xf32>
    %691 = stablehlo.maximum %690, %689 : tensor<4x25xf32>
    %692 = stablehlo.broadcast_in_dim %691, dims = [0, 1] : (tensor<4x25xf32>) -> tensor<4x25x1xf32>
    %693 = stablehlo.broadcast_in_dim %692, dims = [0, 1, 2] : (tensor<4x25x1xf32>) -> tensor<4x25x256xf32>
    %694 = stablehlo.subtract %688, %693 : tensor<4x25x256xf32>
    %695 = stablehlo.exponential %694 : tensor<4x25x256xf32>
    %cst_124 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %696 = stablehlo.reduce(%695 init: %cst_124) applies stablehlo.add across dimensions = [2] : (tensor<4x25x256xf32>, tensor<f32>) -> tensor<4x25xf32>
    %697 = stablehlo.broadcast_in_dim %696, dims = [0, 1] : (tensor<4x25xf32>) -> tensor<4x25x1xf32>
    %698 = stablehlo.broadcast_in_dim %697, dims = [0, 1, 2] : (tensor<4x25x1xf32>) -> tensor<4x25x256xf32>
    %699 = stablehlo.divide %695, %698 : tensor<4x25x256xf32>
    %700 = stablehlo.dot_general %699, %685, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x25x256xf32>, tensor<4x256x24xf32>) -> tensor<4x25x24xf32>
    %701 = stablehlo.transpose %700, dims = [1, 0, 2] : (tensor<4x25x24xf32>) -> tensor<25x4x24xf32>
    %702 = stablehlo.reshape %701 : (tensor<25x4x24xf32>) -> tensor<25x96xf32>
    %703 = stablehlo.dot_general %702, %$read0.image_out.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x96xf32>, tensor<96x96xf32>) -> tensor<25x96xf32>
    %704 = stablehlo.broadcast_in_dim %$read0.image_out.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %705 = stablehlo.broadcast_in_dim %704, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<25x96xf32>
    %706 = stablehlo.add %703, %705 : tensor<25x96xf32>
    %707 = stablehlo.add %653, %706 : tensor<25x96xf32>
    %cst_125 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %708 = stablehlo.reduce(%707 init: %cst_125) applies stablehlo.add across dimensions = [1] : (tensor<25x96xf32>, tensor<f32>) -> tensor<25xf32>
    %709 = stablehlo.broadcast_in_dim %708, dims = [0] : (tensor<25xf32>) -> tensor<25x1xf32>
    %cst_126 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %710 = stablehlo.broadcast_in_dim %cst_126, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %711 = stablehlo.divide %709, %710 : tensor<25x1xf32>
    %712 = stablehlo.broadcast_in_dim %711, dims = [0, 1] : (tensor<25x1xf32>) -> tensor<25x96xf32>
    %713 = stablehlo.subtract %707, %712 : tensor<25x96xf32>
    %714 = stablehlo.multiply %713, %713 : tensor<25x96xf32>
    %cst_127 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %715 = stablehlo.reduce(%714 init: %cst_127) applies stablehlo.add across dimensions = [1] : (tensor<25x96xf32>, tensor<f32>) -> tensor<25xf32>
    %716 = stablehlo.broadcast_in_dim %715, dims = [0] : (tensor<25xf32>) -> tensor<25x1xf32>
    %cst_128 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %717 = stablehlo.broadcast_in_dim %cst_128, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %718 = stablehlo.divide %716, %717 : tensor<25x1xf32>
    %cst_129 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %719 = stablehlo.broadcast_in_dim %cst_129, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %720 = stablehlo.add %718, %719 : tensor<25x1xf32>
    %721 = stablehlo.rsqrt %720 : tensor<25x1xf32>
    %722 = stablehlo.broadcast_in_dim %721, dims = [0, 1] : (tensor<25x1xf32>) -> tensor<25x96xf32>
    %723 = stablehlo.multiply %713, %722 : tensor<25x96xf32>
    %724 = stablehlo.dot_general %723, %$read0.up.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x96xf32>, tensor<96x192xf32>) -> tensor<25x192xf32>
    %725 = stablehlo.broadcast_in_dim %$read0.up.b, dims = [1] : (tensor<192xf32>) -> tensor<1x192xf32>
    %726 = stablehlo.broadcast_in_dim %725, dims = [0, 1] : (tensor<1x192xf32>) -> tensor<25x192xf32>
    %727 = stablehlo.add %724, %726 : tensor<25x192xf32>
    %728 = stablehlo.multiply %727, %727 : tensor<25x192xf32>
    %729 = stablehlo.multiply %728, %727 : tensor<25x192xf32>
    %cst_130 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %730 = stablehlo.broadcast_in_dim %cst_130, dims = [] : (tensor<f32>) -> tensor<25x192xf32>
    %731 = stablehlo.multiply %730, %729 : tensor<25x192xf32>
    %732 = stablehlo.add %727, %731 : tensor<25x192xf32>
    %cst_131 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %733 = stablehlo.broadcast_in_dim %cst_131, dims = [] : (tensor<f32>) -> tensor<25x192xf32>
    %734 = stablehlo.multiply %733, %732 : tensor<25x192xf32>
    %735 = stablehlo.tanh %734 : tensor<25x192xf32>
    %cst_132 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %736 = stablehlo.broadcast_in_dim %cst_132, dims = [] : (tensor<f32>) -> tensor<25x192xf32>
    %737 = stablehlo.add %736, %735 : tensor<25x192xf32>
    %cst_133 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %738 = stablehlo.broadcast_in_dim %cst_133, dims = [] : (tensor<f32>) -> tensor<25x192xf32>
    %739 = stablehlo.multiply %738, %737 : tensor<25x192xf32>
    %740 = stablehlo.multiply %727, %739 : tensor<25x192xf32>
    %741 = stablehlo.dot_general %740, %$read0.down.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x192xf32>, tensor<192x96xf32>) -> tensor<25x96xf32>
    %742 = stablehlo.broadcast_in_dim %$read0.down.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %743 = stablehlo.broadcast_in_dim %742, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<25x96xf32>
    %744 = stablehlo.add %741, %743 : tensor<25x96xf32>
    %745 = stablehlo.add %707, %744 : tensor<25x96xf32>
    %cst_134 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %746 = stablehlo.reduce(%745 init: %cst_134) applies stablehlo.add across dimensions = [1] : (tensor<25x96xf32>, tensor<f32>) -> tensor<25xf32>
    %747 = stablehlo.broadcast_in_dim %746, dims = [0] : (tensor<25xf32>) -> tensor<25x1xf32>
    %cst_135 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %748 = stablehlo.broadcast_in_dim %cst_135, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %749 = stablehlo.divide %747, %748 : tensor<25x1xf32>
    %750 = stablehlo.broadcast_in_dim %749, dims = [0, 1] : (tensor<25x1xf32>) -> tensor<25x96xf32>
    %751 = stablehlo.subtract %745, %750 : tensor<25x96xf32>
    %752 = stablehlo.multiply %751, %751 : tensor<25x96xf32>
    %cst_136 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %753 = stablehlo.reduce(%752 init: %cst_136) applies stablehlo.add across dimensions = [1] : (tensor<25x96xf32>, tensor<f32>) -> tensor<25xf32>
    %754 = stablehlo.broadcast_in_dim %753, dims = [0] : (tensor<25xf32>) -> tensor<25x1xf32>
    %cst_137 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %755 = stablehlo.broadcast_in_dim %cst_137, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %756 = stablehlo.divide %754, %755 : tensor<25x1xf32>
    %cst_138 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %757 = stablehlo.broadcast_in_dim %cst_138, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %758 = stablehlo.add %756, %757 : tensor<25x1xf32>
    %759 = stablehlo.rsqrt %758 : tensor<25x1xf32>
    %760 = stablehlo.broadcast_in_dim %759, dims = [0, 1] : (tensor<25x1xf32>) -> tensor<25x96xf32>
    %761 = stablehlo.multiply %751, %760 : tensor<25x96xf32>
    %762 = stablehlo.dot_general %761, %$read1.self.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x96xf32>, tensor<96x288xf32>) -> tensor<25x288xf32>
    %763 = stablehlo.broadcast_in_dim %$read1.self.b, dims = [1] : (tensor<288xf32>) -> tensor<1x288xf32>
    %764 = stablehlo.broadcast_in_dim %763, dims = [0, 1] : (tensor<1x288xf32>) -> tensor<25x288xf32>
    %765 = stablehlo.add %762, %764 : tensor<25x288xf32>
    %766 = stablehlo.slice %765 [0:25, 0:96] : (tensor<25x288xf32>) -> tensor<25x96xf32>
    %767 = stablehlo.slice %765 [0:25, 96:192] : (tensor<25x288xf32>) -> tensor<25x96xf32>
    %768 = stablehlo.slice %765 [0:25, 192:288] : (tensor<25x288xf32>) -> tensor<25x96xf32>
    %769 = stablehlo.reshape %766 : (tensor<25x96xf32>) -> tensor<25x4x24xf32>
    %770 = stablehlo.transpose %769, dims = [1, 0, 2] : (tensor<25x4x24xf32>) -> tensor<4x25x24xf32>
    %771 = stablehlo.reshape %767 : (tensor<25x96xf32>) -> tensor<25x4x24xf32>
    %772 = stablehlo.transpose %771, dims = [1, 2, 0] : (tensor<25x4x24xf32>) -> tensor<4x24x25xf32>
    %773 = stablehlo.reshape %768 : (tensor<25x96xf32>) -> tensor<25x4x24xf32>
    %774 = stablehlo.transpose %773, dims = [1, 0, 2] : (tensor<25x4x24xf32>) -> tensor<4x25x24xf32>
    %775 = stablehlo.dot_general %770, %772, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x25x24xf32>, tensor<4x24x25xf32>) -> tensor<4x25x25xf32>
    %cst_139 = stablehlo.constant dense<0.204124153> : tensor<f32>
    %776 = stablehlo.broadcast_in_dim %cst_139, dims = [] : (tensor<f32>) -> tensor<4x25x25xf32>
    %777 = stablehlo.multiply %775, %776 : tensor<4x25x25xf32>
    %cst_140 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %778 = stablehlo.reduce(%777 init: %cst_140) applies stablehlo.maximum across dimensions = [2] : (tensor<4x25x25xf32>, tensor<f32>) -> tensor<4x25xf32>
    %cst_141 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %779 = stablehlo.broadcast_in_dim %cst_141, dims = [] : (tensor<f32>) -> tensor<4x25xf32>
    %780 = stablehlo.maximum %779, %778 : tensor<4x25xf32>
    %781 = stablehlo.broadcast_in_dim %780, dims = [0, 1] : (tensor<4x25xf32>) -> tensor<4x25x1xf32>
    %782 = stablehlo.broadcast_in_dim %781, dims = [0, 1, 2] : (tensor<4x25x1xf32>) -> tensor<4x25x25xf32>
    %783 = stablehlo.subtract %777, %782 : tensor<4x25x25xf32>
    %784 = stablehlo.exponential %783 : tensor<4x25x25xf32>
    %cst_142 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %785 = stablehlo.reduce(%784 init: %cst_142) applies stablehlo.add across dimensions = [2] : (tensor<4x25x25xf32>, tensor<f32>) -> tensor<4x25xf32>
    %786 = stablehlo.broadcast_in_dim %785, dims = [0, 1] : (tensor<4x25xf32>) -> tensor<4x25x1xf32>
    %787 = stablehlo.broadcast_in_dim %786, dims = [0, 1, 2] : (tensor<4x25x1xf32>) -> tensor<4x25x25xf32>
    %788 = stablehlo.divide %784, %787 : tensor<4x25x25xf32>
    %789 = stablehlo.dot_general %788, %774, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x25x25xf32>, tensor<4x25x24xf32>) -> tensor<4x25x24xf32>
    %790 = stablehlo.transpose %789, dims = [1, 0, 2] : (tensor<4x25x24xf32>) -> tensor<25x4x24xf32>
    %791 = stablehlo.reshape %790 : (tensor<25x4x24xf32>) -> tensor<25x96xf32>
    %792 = stablehlo.dot_general %791, %$read1.self_out.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x96xf32>, tensor<96x96xf32>) -> tensor<25x96xf32>
    %793 = stablehlo.broadcast_in_dim %$read1.self_out.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %794 = stablehlo.broadcast_in_dim %793, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<25x96xf32>
    %795 = stablehlo.add %792, %794 : tensor<25x96xf32>
    %796 = stablehlo.add %745, %795 : tensor<25x96xf32>
    %cst_143 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %797 = stablehlo.reduce(%796 init: %cst_143) applies stablehlo.add across dimensions = [1] : (tensor<25x96xf32>, tensor<f32>) -> tensor<25xf32>
    %798 = stablehlo.broadcast_in_dim %797, dims = [0] : (tensor<25xf32>) -> tensor<25x1xf32>
    %cst_144 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %799 = stablehlo.broadcast_in_dim %cst_144, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %800 = stablehlo.divide %798, %799 : tensor<25x1xf32>
    %801 = stablehlo.broadcast_in_dim %800, dims = [0, 1] : (tensor<25x1xf32>) -> tensor<25x96xf32>
    %802 = stablehlo.subtract %796, %801 : tensor<25x96xf32>
    %803 = stablehlo.multiply %802, %802 : tensor<25x96xf32>
    %cst_145 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %804 = stablehlo.reduce(%803 init: %cst_145) applies stablehlo.add across dimensions = [1] : (tensor<25x96xf32>, tensor<f32>) -> tensor<25xf32>
    %805 = stablehlo.broadcast_in_dim %804, dims = [0] : (tensor<25xf32>) -> tensor<25x1xf32>
    %cst_146 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %806 = stablehlo.broadcast_in_dim %cst_146, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %807 = stablehlo.divide %805, %806 : tensor<25x1xf32>
    %cst_147 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %808 = stablehlo.broadcast_in_dim %cst_147, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %809 = stablehlo.add %807, %808 : tensor<25x1xf32>
    %810 = stablehlo.rsqrt %809 : tensor<25x1xf32>
    %811 = stablehlo.broadcast_in_dim %810, dims = [0, 1] : (tensor<25x1xf32>) -> tensor<25x96xf32>
    %812 = stablehlo.multiply %802, %811 : tensor<25x96xf32>
    %813 = stablehlo.dot_general %812, %$read1.query.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x96xf32>, tensor<96x96xf32>) -> tensor<25x96xf32>
    %814 = stablehlo.broadcast_in_dim %$read1.query.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %815 = stablehlo.broadcast_in_dim %814, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<25x96xf32>
    %816 = stablehlo.add %813, %815 : tensor<25x96xf32>
    %817 = stablehlo.dot_general %574, %$read1.image.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<256x96xf32>, tensor<96x192xf32>) -> tensor<256x192xf32>
    %818 = stablehlo.broadcast_in_dim %$read1.image.b, dims = [1] : (tensor<192xf32>) -> tensor<1x192xf32>
    %819 = stablehlo.broadcast_in_dim %818, dims = [0, 1] : (tensor<1x192xf32>) -> tensor<256x192xf32>
    %820 = stablehlo.add %817, %819 : tensor<256x192xf32>
    %821 = stablehlo.slice %820 [0:256, 0:96] : (tensor<256x192xf32>) -> tensor<256x96xf32>
    %822 = stablehlo.slice %820 [0:256, 96:192] : (tensor<256x192xf32>) -> tensor<256x96xf32>
    %823 = stablehlo.reshape %816 : (tensor<25x96xf32>) -> tensor<25x4x24xf32>
    %824 = stablehlo.transpose %823, dims = [1, 0, 2] : (tensor<25x4x24xf32>) -> tensor<4x25x24xf32>
    %825 = stablehlo.reshape %821 : (tensor<256x96xf32>) -> tensor<256x4x24xf32>
    %826 = stablehlo.transpose %825, dims = [1, 2, 0] : (tensor<256x4x24xf32>) -> tensor<4x24x256xf32>
    %827 = stablehlo.reshape %822 : (tensor<256x96xf32>) -> tensor<256x4x24xf32>
    %828 = stablehlo.transpose %827, dims = [1, 0, 2] : (tensor<256x4x24xf32>) -> tensor<4x256x24xf32>
    %829 = stablehlo.dot_general %824, %826, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x25x24xf32>, tensor<4x24x256xf32>) -> tensor<4x25x256xf32>
    %cst_148 = stablehlo.constant dense<0.204124153> : tensor<f32>
    %830 = stablehlo.broadcast_in_dim %cst_148, dims = [] : (tensor<f32>) -> tensor<4x25x256xf32>
    %831 = stablehlo.multiply %829, %830 : tensor<4x25x256xf32>
    %cst_149 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %832 = stablehlo.reduce(%831 init: %cst_149) applies stablehlo.maximum across dimensions = [2] : (tensor<4x25x256xf32>, tensor<f32>) -> tensor<4x25xf32>
    %cst_150 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %833 = stablehlo.broadcast_in_dim %cst_150, dims = [] : (tensor<f32>) -> tensor<4x25xf32>
    %834 = stablehlo.maximum %833, %832 : tensor<4x25xf32>
    %835 = stablehlo.broadcast_in_dim %834, dims = [0, 1] : (tensor<4x25xf32>) -> tensor<4x25x1xf32>
    %836 = stablehlo.broadcast_in_dim %835, dims = [0, 1, 2] : (tensor<4x25x1xf32>) -> tensor<4x25x256xf32>
    %837 = stablehlo.subtract %831, %836 : tensor<4x25x256xf32>
    %838 = stablehlo.exponential %837 : tensor<4x25x256xf32>
    %cst_151 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %839 = stablehlo.reduce(%838 init: %cst_151) applies stablehlo.add across dimensions = [2] : (tensor<4x25x256xf32>, tensor<f32>) -> tensor<4x25xf32>
    %840 = stablehlo.broadcast_in_dim %839, dims = [0, 1] : (tensor<4x25xf32>) -> tensor<4x25x1xf32>
    %841 = stablehlo.broadcast_in_dim %840, dims = [0, 1, 2] : (tensor<4x25x1xf32>) -> tensor<4x25x256xf32>
    %842 = stablehlo.divide %838, %841 : tensor<4x25x256xf32>
    %843 = stablehlo.dot_general %842, %828, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x25x256xf32>, tensor<4x256x24xf32>) -> tensor<4x25x24xf32>
    %844 = stablehlo.transpose %843, dims = [1, 0, 2] : (tensor<4x25x24xf32>) -> tensor<25x4x24xf32>
    %845 = stablehlo.reshape %844 : (tensor<25x4x24xf32>) -> tensor<25x96xf32>
    %846 = stablehlo.dot_general %845, %$read1.image_out.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x96xf32>, tensor<96x96xf32>) -> tensor<25x96xf32>
    %847 = stablehlo.broadcast_in_dim %$read1.image_out.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %848 = stablehlo.broadcast_in_dim %847, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<25x96xf32>
    %849 = stablehlo.add %846, %848 : tensor<25x96xf32>
    %850 = stablehlo.add %796, %849 : tensor<25x96xf32>
    %cst_152 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %851 = stablehlo.reduce(%850 init: %cst_152) applies stablehlo.add across dimensions = [1] : (tensor<25x96xf32>, tensor<f32>) -> tensor<25xf32>
    %852 = stablehlo.broadcast_in_dim %851, dims = [0] : (tensor<25xf32>) -> tensor<25x1xf32>
    %cst_153 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %853 = stablehlo.broadcast_in_dim %cst_153, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %854 = stablehlo.divide %852, %853 : tensor<25x1xf32>
    %855 = stablehlo.broadcast_in_dim %854, dims = [0, 1] : (tensor<25x1xf32>) -> tensor<25x96xf32>
    %856 = stablehlo.subtract %850, %855 : tensor<25x96xf32>
    %857 = stablehlo.multiply %856, %856 : tensor<25x96xf32>
    %cst_154 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %858 = stablehlo.reduce(%857 init: %cst_154) applies stablehlo.add across dimensions = [1] : (tensor<25x96xf32>, tensor<f32>) -> tensor<25xf32>
    %859 = stablehlo.broadcast_in_dim %858, dims = [0] : (tensor<25xf32>) -> tensor<25x1xf32>
    %cst_155 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %860 = stablehlo.broadcast_in_dim %cst_155, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %861 = stablehlo.divide %859, %860 : tensor<25x1xf32>
    %cst_156 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %862 = stablehlo.broadcast_in_dim %cst_156, dims = [] : (tensor<f32>) -> tensor<25x1xf32>
    %863 = stablehlo.add %861, %862 : tensor<25x1xf32>
    %864 = stablehlo.rsqrt %863 : tensor<25x1xf32>
    %865 = stablehlo.broadcast_in_dim %864, dims = [0, 1] : (tensor<25x1xf32>) -> tensor<25x96xf32>
    %866 = stablehlo.multiply %856, %865 : tensor<25x96xf32>
    %867 = stablehlo.dot_general %866, %$read1.up.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x96xf32>, tensor<96x192xf32>) -> tensor<25x192xf32>
    %868 = stablehlo.broadcast_in_dim %$read1.up.b, dims = [1] : (tensor<192xf32>) -> tensor<1x192xf32>
    %869 = stablehlo.broadcast_in_dim %868, dims = [0, 1] : (tensor<1x192xf32>) -> tensor<25x192xf32>
    %870 = stablehlo.add %867, %869 : tensor<25x192xf32>
    %871 = stablehlo.multiply %870, %870 : tensor<25x192xf32>
    %872 = stablehlo.multiply %871, %870 : tensor<25x192xf32>
    %cst_157 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %873 = stablehlo.broadcast_in_dim %cst_157, dims = [] : (tensor<f32>) -> tensor<25x192xf32>
    %874 = stablehlo.multiply %873, %872 : tensor<25x192xf32>
    %875 = stablehlo.add %870, %874 : tensor<25x192xf32>
    %cst_158 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %876 = stablehlo.broadcast_in_dim %cst_158, dims = [] : (tensor<f32>) -> tensor<25x192xf32>
    %877 = stablehlo.multiply %876, %875 : tensor<25x192xf32>
    %878 = stablehlo.tanh %877 : tensor<25x192xf32>
    %cst_159 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %879 = stablehlo.broadcast_in_dim %cst_159, dims = [] : (tensor<f32>) -> tensor<25x192xf32>
    %880 = stablehlo.add %879, %878 : tensor<25x192xf32>
    %cst_160 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %881 = stablehlo.broadcast_in_dim %cst_160, dims = [] : (tensor<f32>) -> tensor<25x192xf32>
    %882 = stablehlo.multiply %881, %880 : tensor<25x192xf32>
    %883 = stablehlo.multiply %870, %882 : tensor<25x192xf32>
    %884 = stablehlo.dot_general %883, %$read1.down.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x192xf32>, tensor<192x96xf32>) -> tensor<25x96xf32>
    %885 = stablehlo.broadcast_in_dim %$read1.down.b, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %886 = stablehlo.broadcast_in_dim %885, dims = [0, 1] : (tensor<1x96xf32>) -> tensor<25x96xf32>
    %887 = stablehlo.add %884, %886 : tensor<25x96xf32>
    %888 = stablehlo.add %850, %887 : tensor<25x96xf32>
    %889 = stablehlo.slice %888 [0:8, 0:96] : (tensor<25x96xf32>) -> tensor<8x96xf32>
    %cst_161 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %890 = stablehlo.reduce(%889 init: %cst_161) applies stablehlo.add across dimensions = [1] : (tensor<8x96xf32>, tensor<f32>) -> tensor<8xf32>
    %891 = stablehlo.broadcast_in_dim %890, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %cst_162 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %892 = stablehlo.broadcast_in_dim %cst_162, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %893 = stablehlo.divide %891, %892 : tensor<8x1xf32>
    %894 = stablehlo.broadcast_in_dim %893, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x96xf32>
    %895 = stablehlo.subtract %889, %894 : tensor<8x96xf32>
    %896 = stablehlo.multiply %895, %895 : tensor<8x96xf32>
    %cst_163 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %897 = stablehlo.reduce(%896 init: %cst_163) applies stablehlo.add across dimensions = [1] : (tensor<8x96xf32>, tensor<f32>) -> tensor<8xf32>
    %898 = stablehlo.broadcast_in_dim %897, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %cst_164 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %899 = stablehlo.broadcast_in_dim %cst_164, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %900 = stablehlo.divide %898, %899 : tensor<8x1xf32>
    %cst_165 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %901 = stablehlo.broadcast_in_dim %cst_165, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %902 = stablehlo.add %900, %901 : tensor<8x1xf32>
    %903 = stablehlo.rsqrt %902 : tensor<8x1xf32>
    %904 = stablehlo.broadcast_in_dim %903, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x96xf32>
    %905 = stablehlo.multiply %895, %904 : tensor<8x96xf32>
    %906 = stablehlo.dot_general %905, %$hidden.w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x96xf32>, tensor<96x64xf32>) -> tensor<8x64xf32>
    %907 = stablehlo.broadcast_in_dim %$hidden.b, dims = [1] : (tensor<64xf32>) -> tensor<1x64xf32>
    %908 = stablehlo.broadcast_in_dim %907, dims = [0, 1] : (tensor<1x64xf32>) -> tensor<8x64xf32>
    %909 = stablehlo.add %906, %908 : tensor<8x64xf32>
    %cst_166 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %910 = stablehlo.reduce(%909 init: %cst_166) applies stablehlo.add across dimensions = [1] : (tensor<8x64xf32>, tensor<f32>) -> tensor<8xf32>
    %911 = stablehlo.broadcast_in_dim %910, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %cst_167 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %912 = stablehlo.broadcast_in_dim %cst_167, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %913 = stablehlo.divide %911, %912 : tensor<8x1xf32>
    %914 = stablehlo.broadcast_in_dim %913, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x64xf32>
    %915 = stablehlo.subtract %909, %914 : tensor<8x64xf32>
    %916 = stablehlo.multiply %915, %915 : tensor<8x64xf32>
    %cst_168 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %917 = stablehlo.reduce(%916 init: %cst_168) applies stablehlo.add across dimensions = [1] : (tensor<8x64xf32>, tensor<f32>) -> tensor<8xf32>
    %918 = stablehlo.broadcast_in_dim %917, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %cst_169 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %919 = stablehlo.broadcast_in_dim %cst_169, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %920 = stablehlo.divide %918, %919 : tensor<8x1xf32>
    %cst_170 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %921 = stablehlo.broadcast_in_dim %cst_170, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %922 = stablehlo.add %920, %921 : tensor<8x1xf32>
    %923 = stablehlo.rsqrt %922 : tensor<8x1xf32>
    %924 = stablehlo.broadcast_in_dim %923, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x64xf32>
    %925 = stablehlo.multiply %915, %924 : tensor<8x64xf32>
    return %925 : tensor<8x64xf32>
  }
  func.func private @encode$_pad(%arg0: tensor<64x64x24xf32>, %arg1: tensor<i32>) -> tensor<66x66x24xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [1, 1, 0], high = [1, 1, 0], interior = [0, 0, 0] : (tensor<64x64x24xf32>, tensor<f32>) -> tensor<66x66x24xf32>
    return %1 : tensor<66x66x24xf32>
  }
  func.func private @encode$relu(%arg0: tensor<64x64x24xf32>) -> tensor<64x64x24xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<64x64x24xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<64x64x24xf32>
    return %1 : tensor<64x64x24xf32>
  }
  func.func private @encode$_pad_0(%arg0: tensor<32x32x48xf32>, %arg1: tensor<i32>) -> tensor<34x34x48xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [1, 1, 0], high = [1, 1, 0], interior = [0, 0, 0] : (tensor<32x32x48xf32>, tensor<f32>) -> tensor<34x34x48xf32>
    return %1 : tensor<34x34x48xf32>
  }
  func.func private @encode$relu_1(%arg0: tensor<32x32x48xf32>) -> tensor<32x32x48xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<32x32x48xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<32x32x48xf32>
    return %1 : tensor<32x32x48xf32>
  }
  func.func private @encode$_pad_2(%arg0: tensor<16x16x96xf32>, %arg1: tensor<i32>) -> tensor<18x18x96xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [1, 1, 0], high = [1, 1, 0], interior = [0, 0, 0] : (tensor<16x16x96xf32>, tensor<f32>) -> tensor<18x18x96xf32>
    return %1 : tensor<18x18x96xf32>
  }
  func.func private @encode$relu_3(%arg0: tensor<16x16x96xf32>) -> tensor<16x16x96xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16x16x96xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<16x16x96xf32>
    return %1 : tensor<16x16x96xf32>
  }
}
