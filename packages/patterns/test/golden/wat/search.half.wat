;; neighbors.search.half
;;
;; Neighbor search: appends the half lists of the particles in cells begin … end − 1.
;;   fill      the particles of a cell's stencil go to a buffer, one segment a periodic image
;;   test      each particle of the cell meets four of them at a time
;;   store     row numbers within the radius are moved to the front and stored
(module
  (import "env" "memory" (memory 1 65536 shared))

  (func $run (export "run") (param $args i32) (param $begin i32) (param $end i32) (param $thread i32)
    (local $start i32) (local $x i32) (local $y i32) (local $z i32) (local $slots i32)
    (local $rows i32) (local $rowCount i32) (local $center i32) (local $images i32)
    (local $imageCount i32) (local $header i32) (local $compress i32) (local $nx i32)
    (local $ny i32) (local $nz i32) (local $reachX i32) (local $reachY i32) (local $reachZ i32)
    (local $limit2 v128) (local $limit f64) (local $threads i32) (local $i25 i32)
    (local $entries i32) (local $entryCapacity i32) (local $indices i32) (local $indexCapacity i32)
    (local $buffer i32) (local $bufferCapacity i32) (local $entryCount i32) (local $indexCount i32)
    (local $v34 v128) (local $borderCount i32) (local $lowFirst i32) (local $lowEnd i32)
    (local $firstRow i32) (local $endRow i32) (local $bx i32) (local $by i32) (local $bz i32)
    (local $bj i32) (local $iota v128) (local $far v128) (local $ownFirst i32) (local $ownEnd i32)
    (local $i48 i32) (local $i49 i32) (local $i50 i32) (local $i51 i32) (local $i52 i32)
    (local $i53 i32) (local $i54 i32) (local $i55 i32) (local $i56 i32) (local $i57 i32)
    (local $i58 i32) (local $i59 i32) (local $i60 i32) (local $i61 i32) (local $v62 v128)
    (local $v63 v128) (local $v64 v128) (local $i65 i32) (local $i66 i32) (local $i67 i32)
    (local $i68 i32) (local $i69 i32) (local $i70 i32) (local $i71 i32) (local $i72 i32)
    (local $i73 i32) (local $i74 i32) (local $i75 i32) (local $i76 i32) (local $i77 i32)
    (local $i78 i32) (local $i79 i32) (local $i80 i32) (local $i81 i32) (local $i82 i32)
    (local $i83 i32) (local $i84 i32) (local $i85 i32) (local $i86 i32) (local $v87 v128)
    (local $v88 v128) (local $v89 v128) (local $v90 v128) (local $i91 i32) (local $v92 v128)
    (local $v93 v128) (local $v94 v128) (local $i95 i32) (local $i96 i32) (local $i97 i32)
    (local $i98 i32) (local $i99 i32) (local $i100 i32) (local $i101 i32) (local $i102 i32)
    (local $i103 i32) (local $v104 v128) (local $v105 v128) (local $v106 v128) (local $i107 i32)
    (local $i108 i32) (local $i109 i32) (local $i110 i32) (local $i111 i32) (local $i112 i32)
    (local $i113 i32)
    (local.set $start (i32.load (local.get $args)))
    (local.set $x (i32.load offset=8 (local.get $args)))
    (local.set $y (i32.load offset=16 (local.get $args)))
    (local.set $z (i32.load offset=24 (local.get $args)))
    (local.set $slots (i32.load offset=32 (local.get $args)))
    (local.set $rows (i32.load offset=40 (local.get $args)))
    (local.set $rowCount (i32.load offset=48 (local.get $args)))
    (local.set $center (i32.load offset=56 (local.get $args)))
    (local.set $images (i32.load offset=64 (local.get $args)))
    (local.set $imageCount (i32.load offset=72 (local.get $args)))
    (local.set $header (i32.load offset=80 (local.get $args)))
    (local.set $compress (i32.load offset=88 (local.get $args)))
    (local.set $nx (i32.load offset=96 (local.get $args)))
    (local.set $ny (i32.load offset=104 (local.get $args)))
    (local.set $nz (i32.load offset=112 (local.get $args)))
    (local.set $reachX (i32.load offset=120 (local.get $args)))
    (local.set $reachY (i32.load offset=128 (local.get $args)))
    (local.set $reachZ (i32.load offset=136 (local.get $args)))
    (local.set $limit (f64.load offset=144 (local.get $args)))
    (local.set $threads (i32.load offset=152 (local.get $args)))
    (local.set $iota (v128.const i32x4 0x00000000 0x00000001 0x00000002 0x00000003))
    (local.set $far (v128.const i32x4 0x4e6e6b28 0x4e6e6b28 0x4e6e6b28 0x4e6e6b28))
    (local.set $v88 (i32x4.splat (i32.const 4)))
    (local.set $v89 (i32x4.splat (i32.const 8)))
    (local.set $v90 (i32x4.splat (i32.const 12)))
    (local.set $limit2 (f32x4.splat (f32.demote_f64 (local.get $limit))))
    (local.set $i25 (i32.add (local.get $threads) (i32.mul (local.get $thread) (i32.const 128))))
    (local.set $entries (i32.load (local.get $i25)))
    (local.set $entryCapacity (i32.load offset=4 (local.get $i25)))
    (local.set $indices (i32.load offset=12 (local.get $i25)))
    (local.set $indexCapacity (i32.load offset=16 (local.get $i25)))
    (local.set $buffer (i32.load offset=24 (local.get $i25)))
    (local.set $bufferCapacity (i32.load offset=28 (local.get $i25)))
    (local.set $entryCount (i32.load offset=8 (local.get $i25)))
    (local.set $indexCount (i32.load offset=20 (local.get $i25)))
    (local.set $v34 (i32x4.splat (i32.load offset=36 (local.get $i25))))
    (local.set $borderCount (i32.load offset=48 (local.get $i25)))
    (local.set $lowFirst (i32.load offset=52 (local.get $i25)))
    (local.set $lowEnd (i32.load offset=56 (local.get $i25)))
    (local.set $firstRow (i32.load offset=60 (local.get $i25)))
    (local.set $endRow (i32.load offset=64 (local.get $i25)))
    (local.set $bx (i32.add (local.get $buffer) (local.get $header)))
    (local.set $by (i32.add (local.get $bx) (i32.shl (local.get $bufferCapacity) (i32.const 2))))
    (local.set $bz (i32.add (local.get $by) (i32.shl (local.get $bufferCapacity) (i32.const 2))))
    (local.set $bj (i32.add (local.get $bz) (i32.shl (local.get $bufferCapacity) (i32.const 2))))
    (local.set $ownFirst (i32.load offset=40 (local.get $i25)))
    (local.set $ownEnd (i32.load offset=44 (local.get $i25)))
    (block $b0
      (br_if $b0 (i32.load offset=32 (local.get $i25)))
      (local.set $i48 (local.get $begin))
      (block $b1
        (loop $b2
          (br_if $b1 (i32.eqz (i32.lt_s (local.get $i48) (local.get $end))))
          (block $b3
            (local.set $i49
              (i32.load (i32.add (local.get $start) (i32.shl (local.get $i48) (i32.const 2)))))
            (local.set $i50
              (i32.load offset=4
                (i32.add (local.get $start) (i32.shl (local.get $i48) (i32.const 2)))))
            (br_if $b3 (i32.eq (local.get $i49) (local.get $i50)))
            (local.set $i51 (i32.div_u (local.get $i48) (local.get $nx)))
            (local.set $i52 (i32.div_u (local.get $i51) (local.get $ny)))
            (local.set $i53 (i32.sub (local.get $i48) (i32.mul (local.get $i51) (local.get $nx))))
            (local.set $i54 (i32.sub (local.get $i51) (i32.mul (local.get $i52) (local.get $ny))))
            (local.set $i55 (local.get $buffer))
            (local.set $i56 (i32.const 0))
            ;; fill: the stencil of the cell, image by image
            (local.set $i57 (i32.const 0))
            (block $b4
              (loop $b5
                (br_if $b4 (i32.eqz (i32.lt_s (local.get $i57) (local.get $imageCount))))
                (block $b6
                  (local.set $i58
                    (i32.add (local.get $images) (i32.shl (local.get $i57) (i32.const 5))))
                  (local.set $i59 (i32.add (local.get $i53) (i32.load offset=4 (local.get $i58))))
                  (local.set $i60 (i32.add (local.get $i54) (i32.load offset=8 (local.get $i58))))
                  (local.set $i61 (i32.add (local.get $i52) (i32.load offset=12 (local.get $i58))))
                  (br_if $b6
                    (i32.ge_s (i32.sub (local.get $i59) (local.get $reachX)) (local.get $nx)))
                  (br_if $b6
                    (i32.lt_s (i32.add (local.get $i59) (local.get $reachX)) (i32.const 0)))
                  (br_if $b6
                    (i32.ge_s (i32.sub (local.get $i60) (local.get $reachY)) (local.get $ny)))
                  (br_if $b6
                    (i32.lt_s (i32.add (local.get $i60) (local.get $reachY)) (i32.const 0)))
                  (br_if $b6
                    (i32.ge_s (i32.sub (local.get $i61) (local.get $reachZ)) (local.get $nz)))
                  (br_if $b6
                    (i32.lt_s (i32.add (local.get $i61) (local.get $reachZ)) (i32.const 0)))
                  (local.set $v62 (v128.load32_splat offset=16 (local.get $i58)))
                  (local.set $v63 (v128.load32_splat offset=20 (local.get $i58)))
                  (local.set $v64 (v128.load32_splat offset=24 (local.get $i58)))
                  (local.set $i65 (local.get $i56))
                  (local.set $i66 (i32.eq (i32.load (local.get $i58)) (i32.const 13)))
                  (local.set $i67 (i32.load offset=28 (local.get $i58)))
                  (local.set $i68 (local.get $i67))
                  (block $b7
                    (loop $b8
                      (br_if $b7 (i32.eqz (i32.lt_s (local.get $i68) (local.get $rowCount))))
                      (block $b9
                        (local.set $i69
                          (i32.add (local.get $rows) (i32.shl (local.get $i68) (i32.const 4))))
                        (local.set $i70
                          (i32.add (local.get $i61) (i32.load offset=4 (local.get $i69))))
                        (br_if $b9 (i32.ge_u (local.get $i70) (local.get $nz)))
                        (local.set $i71 (i32.add (local.get $i60) (i32.load (local.get $i69))))
                        (br_if $b9 (i32.ge_u (local.get $i71) (local.get $ny)))
                        (local.set $i72
                          (i32.add (local.get $i59) (i32.load offset=8 (local.get $i69))))
                        (local.set $i73
                          (i32.add (local.get $i59) (i32.load offset=12 (local.get $i69))))
                        (if
                          (i32.and (local.get $i66) (i32.eq (local.get $i68) (local.get $center)))
                          (then
                            (local.set $i72 (local.get $i59))))
                        (local.set $i72
                          (select
                            (local.get $i72)
                            (i32.const 0)
                            (i32.gt_s (local.get $i72) (i32.const 0))))
                        (local.set $i74 (i32.sub (local.get $nx) (i32.const 1)))
                        (local.set $i73
                          (select
                            (local.get $i73)
                            (local.get $i74)
                            (i32.lt_s (local.get $i73) (local.get $i74))))
                        (br_if $b9 (i32.gt_s (local.get $i72) (local.get $i73)))
                        (local.set $i75
                          (i32.mul
                            (i32.add (i32.mul (local.get $i70) (local.get $ny)) (local.get $i71))
                            (local.get $nx)))
                        (local.set $i76
                          (i32.load
                            (i32.add
                              (local.get $start)
                              (i32.shl (i32.add (local.get $i75) (local.get $i72)) (i32.const 2)))))
                        (local.set $i77
                          (i32.load offset=4
                            (i32.add
                              (local.get $start)
                              (i32.shl (i32.add (local.get $i75) (local.get $i73)) (i32.const 2)))))
                        (if
                          (i32.gt_s
                            (i32.add
                              (i32.add (local.get $i56) (i32.sub (local.get $i77) (local.get $i76)))
                              (i32.const 24))
                            (local.get $bufferCapacity))
                          (then
                            (i32.store offset=32 (local.get $i25) (i32.const 2))
                            (br $b0)))
                        (local.set $i78 (local.get $i56))
                        ;; copy sixteen particles at a time
                        (local.set $i79 (local.get $i76))
                        (block $b10
                          (loop $b11
                            (br_if $b10 (i32.eqz (i32.lt_s (local.get $i79) (local.get $i77))))
                            (local.set $i80
                              (i32.add (local.get $x) (i32.shl (local.get $i79) (i32.const 2))))
                            (local.set $i81
                              (i32.add (local.get $y) (i32.shl (local.get $i79) (i32.const 2))))
                            (local.set $i82
                              (i32.add (local.get $z) (i32.shl (local.get $i79) (i32.const 2))))
                            (local.set $i83
                              (i32.add (local.get $bx) (i32.shl (local.get $i78) (i32.const 2))))
                            (local.set $i84
                              (i32.add (local.get $by) (i32.shl (local.get $i78) (i32.const 2))))
                            (local.set $i85
                              (i32.add (local.get $bz) (i32.shl (local.get $i78) (i32.const 2))))
                            (local.set $i86
                              (i32.add (local.get $bj) (i32.shl (local.get $i78) (i32.const 2))))
                            (local.set $v87
                              (i32x4.add (i32x4.splat (local.get $i79)) (local.get $iota)))
                            (v128.store align=4
                              (local.get $i83)
                              (f32x4.sub (v128.load align=4 (local.get $i80)) (local.get $v62)))
                            (v128.store align=4
                              (local.get $i84)
                              (f32x4.sub (v128.load align=4 (local.get $i81)) (local.get $v63)))
                            (v128.store align=4
                              (local.get $i85)
                              (f32x4.sub (v128.load align=4 (local.get $i82)) (local.get $v64)))
                            (v128.store align=4 (local.get $i86) (local.get $v87))
                            (v128.store offset=16 align=4
                              (local.get $i83)
                              (f32x4.sub
                                (v128.load offset=16 align=4 (local.get $i80))
                                (local.get $v62)))
                            (v128.store offset=16 align=4
                              (local.get $i84)
                              (f32x4.sub
                                (v128.load offset=16 align=4 (local.get $i81))
                                (local.get $v63)))
                            (v128.store offset=16 align=4
                              (local.get $i85)
                              (f32x4.sub
                                (v128.load offset=16 align=4 (local.get $i82))
                                (local.get $v64)))
                            (v128.store offset=16 align=4
                              (local.get $i86)
                              (i32x4.add (local.get $v87) (local.get $v88)))
                            (v128.store offset=32 align=4
                              (local.get $i83)
                              (f32x4.sub
                                (v128.load offset=32 align=4 (local.get $i80))
                                (local.get $v62)))
                            (v128.store offset=32 align=4
                              (local.get $i84)
                              (f32x4.sub
                                (v128.load offset=32 align=4 (local.get $i81))
                                (local.get $v63)))
                            (v128.store offset=32 align=4
                              (local.get $i85)
                              (f32x4.sub
                                (v128.load offset=32 align=4 (local.get $i82))
                                (local.get $v64)))
                            (v128.store offset=32 align=4
                              (local.get $i86)
                              (i32x4.add (local.get $v87) (local.get $v89)))
                            (v128.store offset=48 align=4
                              (local.get $i83)
                              (f32x4.sub
                                (v128.load offset=48 align=4 (local.get $i80))
                                (local.get $v62)))
                            (v128.store offset=48 align=4
                              (local.get $i84)
                              (f32x4.sub
                                (v128.load offset=48 align=4 (local.get $i81))
                                (local.get $v63)))
                            (v128.store offset=48 align=4
                              (local.get $i85)
                              (f32x4.sub
                                (v128.load offset=48 align=4 (local.get $i82))
                                (local.get $v64)))
                            (v128.store offset=48 align=4
                              (local.get $i86)
                              (i32x4.add (local.get $v87) (local.get $v90)))
                            (local.set $i78 (i32.add (local.get $i78) (i32.const 16)))
                            (local.set $i79 (i32.add (local.get $i79) (i32.const 16)))
                            (br $b11)))
                        (local.set $i56
                          (i32.add (local.get $i56) (i32.sub (local.get $i77) (local.get $i76)))))
                      (local.set $i68 (i32.add (local.get $i68) (i32.const 1)))
                      (br $b8)))
                  (if
                    (i32.gt_s (local.get $i56) (local.get $i65))
                    (then
                      (v128.store align=4
                        (i32.add (local.get $bx) (i32.shl (local.get $i56) (i32.const 2)))
                        (local.get $far))
                      (i32.store (local.get $i55) (local.get $i65))
                      (i32.store offset=4 (local.get $i55) (local.get $i56))
                      (i32.store offset=8 (local.get $i55) (i32.load (local.get $i58)))
                      (local.set $i55 (i32.add (local.get $i55) (i32.const 16)))
                      (local.set $i56 (i32.add (local.get $i56) (i32.const 4))))))
                (local.set $i57 (i32.add (local.get $i57) (i32.const 1)))
                (br $b5)))
            ;; test: every particle of the cell against the buffer
            (local.set $i91 (local.get $i49))
            (block $b12
              (loop $b13
                (br_if $b12 (i32.eqz (i32.lt_s (local.get $i91) (local.get $i50))))
                (local.set $v92
                  (v128.load32_splat
                    (i32.add (local.get $x) (i32.shl (local.get $i91) (i32.const 2)))))
                (local.set $v93
                  (v128.load32_splat
                    (i32.add (local.get $y) (i32.shl (local.get $i91) (i32.const 2)))))
                (local.set $v94
                  (v128.load32_splat
                    (i32.add (local.get $z) (i32.shl (local.get $i91) (i32.const 2)))))
                (local.set $i95 (local.get $indexCount))
                (local.set $i96 (local.get $buffer))
                (block $b14
                  (loop $b15
                    (br_if $b14 (i32.eqz (i32.lt_s (local.get $i96) (local.get $i55))))
                    (local.set $i97 (i32.load (local.get $i96)))
                    (local.set $i98 (i32.load offset=4 (local.get $i96)))
                    (local.set $i99 (i32.load offset=8 (local.get $i96)))
                    (local.set $i100 (local.get $indexCount))
                    (if
                      (i32.eq (local.get $i99) (i32.const 13))
                      (then
                        (local.set $i97
                          (i32.add
                            (local.get $i97)
                            (i32.add (i32.sub (local.get $i91) (local.get $i49)) (i32.const 1))))))
                    (if
                      (i32.or
                        (i32.gt_s
                          (i32.add
                            (i32.add (local.get $i100) (i32.const 12))
                            (i32.sub (local.get $i98) (local.get $i97)))
                          (local.get $indexCapacity))
                        (i32.ge_s
                          (i32.add (local.get $entryCount) (local.get $borderCount))
                          (local.get $entryCapacity)))
                      (then
                        (i32.store offset=32 (local.get $i25) (i32.const 1))
                        (br $b0)))
                    (local.set $i101
                      (i32.add (local.get $indices) (i32.shl (local.get $i100) (i32.const 2))))
                    (local.set $i102 (i32.shl (local.get $i97) (i32.const 2)))
                    (local.set $i103 (i32.shl (local.get $i98) (i32.const 2)))
                    ;; four distances give a mask; rows that pass are stored side by side
                    (block $b16
                      (loop $b17
                        (br_if $b16 (i32.eqz (i32.lt_s (local.get $i102) (local.get $i103))))
                        (local.set $v104
                          (f32x4.sub
                            (v128.load align=4 (i32.add (local.get $bx) (local.get $i102)))
                            (local.get $v92)))
                        (local.set $v105
                          (f32x4.sub
                            (v128.load align=4 (i32.add (local.get $by) (local.get $i102)))
                            (local.get $v93)))
                        (local.set $v106
                          (f32x4.sub
                            (v128.load align=4 (i32.add (local.get $bz) (local.get $i102)))
                            (local.get $v94)))
                        (local.set $i107
                          (i32x4.bitmask
                            (f32x4.lt
                              (f32x4.add
                                (f32x4.add
                                  (f32x4.mul (local.get $v104) (local.get $v104))
                                  (f32x4.mul (local.get $v105) (local.get $v105)))
                                (f32x4.mul (local.get $v106) (local.get $v106)))
                              (local.get $limit2))))
                        (v128.store align=4
                          (local.get $i101)
                          (i8x16.swizzle
                            (v128.load align=4 (i32.add (local.get $bj) (local.get $i102)))
                            (v128.load align=4
                              (i32.add
                                (local.get $compress)
                                (i32.shl (local.get $i107) (i32.const 4))))))
                        (local.set $i101
                          (i32.add
                            (local.get $i101)
                            (i32.shl (i32.popcnt (local.get $i107)) (i32.const 2))))
                        (local.set $i102 (i32.add (local.get $i102) (i32.const 16)))
                        (br $b17)))
                    (if
                      (i32.gt_s
                        (local.get $i101)
                        (i32.add (local.get $indices) (i32.shl (local.get $i100) (i32.const 2))))
                      (then
                        ;; store: pad to whole vectors, append the entry {i, image, begin, end}
                        (local.set $i108
                          (i32.load
                            (i32.add (local.get $indices) (i32.shl (local.get $i100) (i32.const 2)))))
                        (local.set $i109 (i32.load (i32.sub (local.get $i101) (i32.const 4))))
                        (v128.store align=4 (local.get $i101) (local.get $v34))
                        (local.set $indexCount
                          (i32.and
                            (i32.add
                              (i32.shr_u
                                (i32.sub (local.get $i101) (local.get $indices))
                                (i32.const 2))
                              (i32.const 3))
                            (i32.const -4)))
                        (local.set $i110
                          (i32.add
                            (local.get $entries)
                            (i32.shl (local.get $entryCount) (i32.const 4))))
                        (if
                          (i32.or
                            (i32.lt_s (local.get $i108) (local.get $ownFirst))
                            (i32.ge_s (local.get $i109) (local.get $ownEnd)))
                          (then
                            (local.set $borderCount (i32.add (local.get $borderCount) (i32.const 1)))
                            (local.set $i110
                              (i32.add
                                (local.get $entries)
                                (i32.shl
                                  (i32.sub (local.get $entryCapacity) (local.get $borderCount))
                                  (i32.const 4))))
                            (local.set $i111 (i32.add (local.get $i91) (i32.const 1)))
                            (local.set $firstRow
                              (select
                                (local.get $firstRow)
                                (local.get $i91)
                                (i32.lt_s (local.get $firstRow) (local.get $i91))))
                            (local.set $endRow
                              (select
                                (local.get $endRow)
                                (local.get $i111)
                                (i32.gt_s (local.get $endRow) (local.get $i111))))
                            (if
                              (i32.lt_s (local.get $i109) (local.get $ownFirst))
                              (then
                                (local.set $i112 (i32.add (local.get $i109) (i32.const 1)))
                                (local.set $lowFirst
                                  (select
                                    (local.get $lowFirst)
                                    (local.get $i108)
                                    (i32.lt_s (local.get $lowFirst) (local.get $i108))))
                                (local.set $lowEnd
                                  (select
                                    (local.get $lowEnd)
                                    (local.get $i112)
                                    (i32.gt_s (local.get $lowEnd) (local.get $i112)))))
                              (else
                                (local.set $i113 (i32.add (local.get $i109) (i32.const 1)))
                                (local.set $firstRow
                                  (select
                                    (local.get $firstRow)
                                    (local.get $i108)
                                    (i32.lt_s (local.get $firstRow) (local.get $i108))))
                                (local.set $endRow
                                  (select
                                    (local.get $endRow)
                                    (local.get $i113)
                                    (i32.gt_s (local.get $endRow) (local.get $i113)))))))
                          (else
                            (local.set $entryCount (i32.add (local.get $entryCount) (i32.const 1)))))
                        (i32.store (local.get $i110) (local.get $i91))
                        (i32.store offset=4 (local.get $i110) (local.get $i99))
                        (i32.store offset=8 (local.get $i110) (local.get $i100))
                        (i32.store offset=12 (local.get $i110) (local.get $indexCount))))
                    (local.set $i96 (i32.add (local.get $i96) (i32.const 16)))
                    (br $b15)))
                (i32.store
                  (i32.add (local.get $slots) (i32.shl (local.get $i91) (i32.const 2)))
                  (i32.sub (local.get $indexCount) (local.get $i95)))
                (local.set $i91 (i32.add (local.get $i91) (i32.const 1)))
                (br $b13))))
          (local.set $i48 (i32.add (local.get $i48) (i32.const 1)))
          (br $b2))))
    (i32.store offset=8 (local.get $i25) (local.get $entryCount))
    (i32.store offset=20 (local.get $i25) (local.get $indexCount))
    (i32.store offset=48 (local.get $i25) (local.get $borderCount))
    (i32.store offset=52 (local.get $i25) (local.get $lowFirst))
    (i32.store offset=56 (local.get $i25) (local.get $lowEnd))
    (i32.store offset=60 (local.get $i25) (local.get $firstRow))
    (i32.store offset=64 (local.get $i25) (local.get $endRow))))
