;; neighbors.search.full
;;
;; Neighbor search: appends the full lists of the particles in cells begin … end − 1.
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
    (local $v34 v128) (local $bx i32) (local $by i32) (local $bz i32) (local $bj i32)
    (local $iota v128) (local $far v128) (local $i41 i32) (local $i42 i32) (local $i43 i32)
    (local $i44 i32) (local $i45 i32) (local $i46 i32) (local $i47 i32) (local $i48 i32)
    (local $i49 i32) (local $i50 i32) (local $i51 i32) (local $i52 i32) (local $i53 i32)
    (local $i54 i32) (local $v55 v128) (local $v56 v128) (local $v57 v128) (local $i58 i32)
    (local $i59 i32) (local $i60 i32) (local $i61 i32) (local $i62 i32) (local $i63 i32)
    (local $i64 i32) (local $i65 i32) (local $i66 i32) (local $i67 i32) (local $i68 i32)
    (local $i69 i32) (local $i70 i32) (local $i71 i32) (local $i72 i32) (local $i73 i32)
    (local $i74 i32) (local $i75 i32) (local $i76 i32) (local $i77 i32) (local $v78 v128)
    (local $v79 v128) (local $v80 v128) (local $v81 v128) (local $i82 i32) (local $v83 v128)
    (local $v84 v128) (local $v85 v128) (local $i86 i32) (local $i87 i32) (local $i88 i32)
    (local $i89 i32) (local $i90 i32) (local $i91 i32) (local $i92 i32) (local $i93 i32)
    (local $i94 i32) (local $v95 v128) (local $v96 v128) (local $v97 v128) (local $i98 i32)
    (local $i99 i32) (local $i100 i32)
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
    (local.set $v79 (i32x4.splat (i32.const 4)))
    (local.set $v80 (i32x4.splat (i32.const 8)))
    (local.set $v81 (i32x4.splat (i32.const 12)))
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
    (local.set $bx (i32.add (local.get $buffer) (local.get $header)))
    (local.set $by (i32.add (local.get $bx) (i32.shl (local.get $bufferCapacity) (i32.const 2))))
    (local.set $bz (i32.add (local.get $by) (i32.shl (local.get $bufferCapacity) (i32.const 2))))
    (local.set $bj (i32.add (local.get $bz) (i32.shl (local.get $bufferCapacity) (i32.const 2))))
    (block $b0
      (br_if $b0 (i32.load offset=32 (local.get $i25)))
      (local.set $i41 (local.get $begin))
      (block $b1
        (loop $b2
          (br_if $b1 (i32.eqz (i32.lt_s (local.get $i41) (local.get $end))))
          (block $b3
            (local.set $i42
              (i32.load (i32.add (local.get $start) (i32.shl (local.get $i41) (i32.const 2)))))
            (local.set $i43
              (i32.load offset=4
                (i32.add (local.get $start) (i32.shl (local.get $i41) (i32.const 2)))))
            (br_if $b3 (i32.eq (local.get $i42) (local.get $i43)))
            (local.set $i44 (i32.div_u (local.get $i41) (local.get $nx)))
            (local.set $i45 (i32.div_u (local.get $i44) (local.get $ny)))
            (local.set $i46 (i32.sub (local.get $i41) (i32.mul (local.get $i44) (local.get $nx))))
            (local.set $i47 (i32.sub (local.get $i44) (i32.mul (local.get $i45) (local.get $ny))))
            (local.set $i48 (local.get $buffer))
            (local.set $i49 (i32.const 0))
            ;; fill: the stencil of the cell, image by image
            (local.set $i50 (i32.const 0))
            (block $b4
              (loop $b5
                (br_if $b4 (i32.eqz (i32.lt_s (local.get $i50) (local.get $imageCount))))
                (block $b6
                  (local.set $i51
                    (i32.add (local.get $images) (i32.shl (local.get $i50) (i32.const 5))))
                  (local.set $i52 (i32.add (local.get $i46) (i32.load offset=4 (local.get $i51))))
                  (local.set $i53 (i32.add (local.get $i47) (i32.load offset=8 (local.get $i51))))
                  (local.set $i54 (i32.add (local.get $i45) (i32.load offset=12 (local.get $i51))))
                  (br_if $b6
                    (i32.ge_s (i32.sub (local.get $i52) (local.get $reachX)) (local.get $nx)))
                  (br_if $b6
                    (i32.lt_s (i32.add (local.get $i52) (local.get $reachX)) (i32.const 0)))
                  (br_if $b6
                    (i32.ge_s (i32.sub (local.get $i53) (local.get $reachY)) (local.get $ny)))
                  (br_if $b6
                    (i32.lt_s (i32.add (local.get $i53) (local.get $reachY)) (i32.const 0)))
                  (br_if $b6
                    (i32.ge_s (i32.sub (local.get $i54) (local.get $reachZ)) (local.get $nz)))
                  (br_if $b6
                    (i32.lt_s (i32.add (local.get $i54) (local.get $reachZ)) (i32.const 0)))
                  (local.set $v55 (v128.load32_splat offset=16 (local.get $i51)))
                  (local.set $v56 (v128.load32_splat offset=20 (local.get $i51)))
                  (local.set $v57 (v128.load32_splat offset=24 (local.get $i51)))
                  (local.set $i58 (local.get $i49))
                  (local.set $i59 (i32.const 0))
                  (block $b7
                    (loop $b8
                      (br_if $b7 (i32.eqz (i32.lt_s (local.get $i59) (local.get $rowCount))))
                      (block $b9
                        (local.set $i60
                          (i32.add (local.get $rows) (i32.shl (local.get $i59) (i32.const 4))))
                        (local.set $i61
                          (i32.add (local.get $i54) (i32.load offset=4 (local.get $i60))))
                        (br_if $b9 (i32.ge_u (local.get $i61) (local.get $nz)))
                        (local.set $i62 (i32.add (local.get $i53) (i32.load (local.get $i60))))
                        (br_if $b9 (i32.ge_u (local.get $i62) (local.get $ny)))
                        (local.set $i63
                          (i32.add (local.get $i52) (i32.load offset=8 (local.get $i60))))
                        (local.set $i64
                          (i32.add (local.get $i52) (i32.load offset=12 (local.get $i60))))
                        (local.set $i63
                          (select
                            (local.get $i63)
                            (i32.const 0)
                            (i32.gt_s (local.get $i63) (i32.const 0))))
                        (local.set $i65 (i32.sub (local.get $nx) (i32.const 1)))
                        (local.set $i64
                          (select
                            (local.get $i64)
                            (local.get $i65)
                            (i32.lt_s (local.get $i64) (local.get $i65))))
                        (br_if $b9 (i32.gt_s (local.get $i63) (local.get $i64)))
                        (local.set $i66
                          (i32.mul
                            (i32.add (i32.mul (local.get $i61) (local.get $ny)) (local.get $i62))
                            (local.get $nx)))
                        (local.set $i67
                          (i32.load
                            (i32.add
                              (local.get $start)
                              (i32.shl (i32.add (local.get $i66) (local.get $i63)) (i32.const 2)))))
                        (local.set $i68
                          (i32.load offset=4
                            (i32.add
                              (local.get $start)
                              (i32.shl (i32.add (local.get $i66) (local.get $i64)) (i32.const 2)))))
                        (if
                          (i32.gt_s
                            (i32.add
                              (i32.add (local.get $i49) (i32.sub (local.get $i68) (local.get $i67)))
                              (i32.const 24))
                            (local.get $bufferCapacity))
                          (then
                            (i32.store offset=32 (local.get $i25) (i32.const 2))
                            (br $b0)))
                        (local.set $i69 (local.get $i49))
                        ;; copy sixteen particles at a time
                        (local.set $i70 (local.get $i67))
                        (block $b10
                          (loop $b11
                            (br_if $b10 (i32.eqz (i32.lt_s (local.get $i70) (local.get $i68))))
                            (local.set $i71
                              (i32.add (local.get $x) (i32.shl (local.get $i70) (i32.const 2))))
                            (local.set $i72
                              (i32.add (local.get $y) (i32.shl (local.get $i70) (i32.const 2))))
                            (local.set $i73
                              (i32.add (local.get $z) (i32.shl (local.get $i70) (i32.const 2))))
                            (local.set $i74
                              (i32.add (local.get $bx) (i32.shl (local.get $i69) (i32.const 2))))
                            (local.set $i75
                              (i32.add (local.get $by) (i32.shl (local.get $i69) (i32.const 2))))
                            (local.set $i76
                              (i32.add (local.get $bz) (i32.shl (local.get $i69) (i32.const 2))))
                            (local.set $i77
                              (i32.add (local.get $bj) (i32.shl (local.get $i69) (i32.const 2))))
                            (local.set $v78
                              (i32x4.add (i32x4.splat (local.get $i70)) (local.get $iota)))
                            (v128.store align=4
                              (local.get $i74)
                              (f32x4.sub (v128.load align=4 (local.get $i71)) (local.get $v55)))
                            (v128.store align=4
                              (local.get $i75)
                              (f32x4.sub (v128.load align=4 (local.get $i72)) (local.get $v56)))
                            (v128.store align=4
                              (local.get $i76)
                              (f32x4.sub (v128.load align=4 (local.get $i73)) (local.get $v57)))
                            (v128.store align=4 (local.get $i77) (local.get $v78))
                            (v128.store offset=16 align=4
                              (local.get $i74)
                              (f32x4.sub
                                (v128.load offset=16 align=4 (local.get $i71))
                                (local.get $v55)))
                            (v128.store offset=16 align=4
                              (local.get $i75)
                              (f32x4.sub
                                (v128.load offset=16 align=4 (local.get $i72))
                                (local.get $v56)))
                            (v128.store offset=16 align=4
                              (local.get $i76)
                              (f32x4.sub
                                (v128.load offset=16 align=4 (local.get $i73))
                                (local.get $v57)))
                            (v128.store offset=16 align=4
                              (local.get $i77)
                              (i32x4.add (local.get $v78) (local.get $v79)))
                            (v128.store offset=32 align=4
                              (local.get $i74)
                              (f32x4.sub
                                (v128.load offset=32 align=4 (local.get $i71))
                                (local.get $v55)))
                            (v128.store offset=32 align=4
                              (local.get $i75)
                              (f32x4.sub
                                (v128.load offset=32 align=4 (local.get $i72))
                                (local.get $v56)))
                            (v128.store offset=32 align=4
                              (local.get $i76)
                              (f32x4.sub
                                (v128.load offset=32 align=4 (local.get $i73))
                                (local.get $v57)))
                            (v128.store offset=32 align=4
                              (local.get $i77)
                              (i32x4.add (local.get $v78) (local.get $v80)))
                            (v128.store offset=48 align=4
                              (local.get $i74)
                              (f32x4.sub
                                (v128.load offset=48 align=4 (local.get $i71))
                                (local.get $v55)))
                            (v128.store offset=48 align=4
                              (local.get $i75)
                              (f32x4.sub
                                (v128.load offset=48 align=4 (local.get $i72))
                                (local.get $v56)))
                            (v128.store offset=48 align=4
                              (local.get $i76)
                              (f32x4.sub
                                (v128.load offset=48 align=4 (local.get $i73))
                                (local.get $v57)))
                            (v128.store offset=48 align=4
                              (local.get $i77)
                              (i32x4.add (local.get $v78) (local.get $v81)))
                            (local.set $i69 (i32.add (local.get $i69) (i32.const 16)))
                            (local.set $i70 (i32.add (local.get $i70) (i32.const 16)))
                            (br $b11)))
                        (local.set $i49
                          (i32.add (local.get $i49) (i32.sub (local.get $i68) (local.get $i67)))))
                      (local.set $i59 (i32.add (local.get $i59) (i32.const 1)))
                      (br $b8)))
                  (if
                    (i32.gt_s (local.get $i49) (local.get $i58))
                    (then
                      (v128.store align=4
                        (i32.add (local.get $bx) (i32.shl (local.get $i49) (i32.const 2)))
                        (local.get $far))
                      (i32.store (local.get $i48) (local.get $i58))
                      (i32.store offset=4 (local.get $i48) (local.get $i49))
                      (i32.store offset=8 (local.get $i48) (i32.load (local.get $i51)))
                      (local.set $i48 (i32.add (local.get $i48) (i32.const 16)))
                      (local.set $i49 (i32.add (local.get $i49) (i32.const 4))))))
                (local.set $i50 (i32.add (local.get $i50) (i32.const 1)))
                (br $b5)))
            ;; test: every particle of the cell against the buffer
            (local.set $i82 (local.get $i42))
            (block $b12
              (loop $b13
                (br_if $b12 (i32.eqz (i32.lt_s (local.get $i82) (local.get $i43))))
                (local.set $v83
                  (v128.load32_splat
                    (i32.add (local.get $x) (i32.shl (local.get $i82) (i32.const 2)))))
                (local.set $v84
                  (v128.load32_splat
                    (i32.add (local.get $y) (i32.shl (local.get $i82) (i32.const 2)))))
                (local.set $v85
                  (v128.load32_splat
                    (i32.add (local.get $z) (i32.shl (local.get $i82) (i32.const 2)))))
                (local.set $i86 (local.get $indexCount))
                (local.set $i87 (local.get $buffer))
                (block $b14
                  (loop $b15
                    (br_if $b14 (i32.eqz (i32.lt_s (local.get $i87) (local.get $i48))))
                    (local.set $i88 (i32.load (local.get $i87)))
                    (local.set $i89 (i32.load offset=4 (local.get $i87)))
                    (local.set $i90 (i32.load offset=8 (local.get $i87)))
                    (local.set $i91 (local.get $indexCount))
                    (if
                      (i32.or
                        (i32.gt_s
                          (i32.add
                            (i32.add (local.get $i91) (i32.const 12))
                            (i32.sub (local.get $i89) (local.get $i88)))
                          (local.get $indexCapacity))
                        (i32.ge_s (local.get $entryCount) (local.get $entryCapacity)))
                      (then
                        (i32.store offset=32 (local.get $i25) (i32.const 1))
                        (br $b0)))
                    (local.set $i92
                      (i32.add (local.get $indices) (i32.shl (local.get $i91) (i32.const 2))))
                    (local.set $i93 (i32.shl (local.get $i88) (i32.const 2)))
                    (local.set $i94 (i32.shl (local.get $i89) (i32.const 2)))
                    ;; four distances give a mask; rows that pass are stored side by side
                    (block $b16
                      (loop $b17
                        (br_if $b16 (i32.eqz (i32.lt_s (local.get $i93) (local.get $i94))))
                        (local.set $v95
                          (f32x4.sub
                            (v128.load align=4 (i32.add (local.get $bx) (local.get $i93)))
                            (local.get $v83)))
                        (local.set $v96
                          (f32x4.sub
                            (v128.load align=4 (i32.add (local.get $by) (local.get $i93)))
                            (local.get $v84)))
                        (local.set $v97
                          (f32x4.sub
                            (v128.load align=4 (i32.add (local.get $bz) (local.get $i93)))
                            (local.get $v85)))
                        (local.set $i98
                          (i32x4.bitmask
                            (f32x4.lt
                              (f32x4.add
                                (f32x4.add
                                  (f32x4.mul (local.get $v95) (local.get $v95))
                                  (f32x4.mul (local.get $v96) (local.get $v96)))
                                (f32x4.mul (local.get $v97) (local.get $v97)))
                              (local.get $limit2))))
                        (v128.store align=4
                          (local.get $i92)
                          (i8x16.swizzle
                            (v128.load align=4 (i32.add (local.get $bj) (local.get $i93)))
                            (v128.load align=4
                              (i32.add
                                (local.get $compress)
                                (i32.shl (local.get $i98) (i32.const 4))))))
                        (local.set $i92
                          (i32.add
                            (local.get $i92)
                            (i32.shl (i32.popcnt (local.get $i98)) (i32.const 2))))
                        (local.set $i93 (i32.add (local.get $i93) (i32.const 16)))
                        (br $b17)))
                    (if
                      (i32.eq (local.get $i90) (i32.const 13))
                      (then
                        ;; a particle is no neighbor of itself
                        (local.set $i99
                          (i32.add (local.get $indices) (i32.shl (local.get $i91) (i32.const 2))))
                        (block $b18
                          (loop $b19
                            (br_if $b18 (i32.eqz (i32.lt_s (local.get $i99) (local.get $i92))))
                            (if
                              (i32.eq (i32.load (local.get $i99)) (local.get $i82))
                              (then
                                (local.set $i92 (i32.add (local.get $i92) (i32.const -4)))
                                (i32.store (local.get $i99) (i32.load (local.get $i92)))
                                (br $b18)))
                            (local.set $i99 (i32.add (local.get $i99) (i32.const 4)))
                            (br $b19)))))
                    (if
                      (i32.gt_s
                        (local.get $i92)
                        (i32.add (local.get $indices) (i32.shl (local.get $i91) (i32.const 2))))
                      (then
                        ;; store: pad to whole vectors, append the entry {i, image, begin, end}
                        (v128.store align=4 (local.get $i92) (local.get $v34))
                        (local.set $indexCount
                          (i32.and
                            (i32.add
                              (i32.shr_u
                                (i32.sub (local.get $i92) (local.get $indices))
                                (i32.const 2))
                              (i32.const 3))
                            (i32.const -4)))
                        (local.set $i100
                          (i32.add
                            (local.get $entries)
                            (i32.shl (local.get $entryCount) (i32.const 4))))
                        (local.set $entryCount (i32.add (local.get $entryCount) (i32.const 1)))
                        (i32.store (local.get $i100) (local.get $i82))
                        (i32.store offset=4 (local.get $i100) (local.get $i90))
                        (i32.store offset=8 (local.get $i100) (local.get $i91))
                        (i32.store offset=12 (local.get $i100) (local.get $indexCount))))
                    (local.set $i87 (i32.add (local.get $i87) (i32.const 16)))
                    (br $b15)))
                (i32.store
                  (i32.add (local.get $slots) (i32.shl (local.get $i82) (i32.const 2)))
                  (i32.sub (local.get $indexCount) (local.get $i86)))
                (local.set $i82 (i32.add (local.get $i82) (i32.const 1)))
                (br $b13))))
          (local.set $i41 (i32.add (local.get $i41) (i32.const 1)))
          (br $b2))))
    (i32.store offset=8 (local.get $i25) (local.get $entryCount))
    (i32.store offset=20 (local.get $i25) (local.get $indexCount))))
