;; share
;;
;; Functor 'share' over rows begin … end − 1, 2 particles at a time.
;;   search    the first list entry of the rows
;;   fill      neighbors within the cutoff are packed into the buffer of the thread
;;   call      the functor once, over the buffer
;;   store     what the particle received goes to its row
;;   scatter   what neighbors received goes to theirs
(module
  (import "env" "memory" (memory 1 65536 shared))

  (func $run (export "run") (param $args i32) (param $begin i32) (param $end i32) (param $thread i32)
    (local $positions i32) (local $shifts i32) (local $cutoff2 f64) (local $threads i32)
    (local $threads:thread i32) (local $threads:thread@0 i32) (local $threads:thread@4 i32)
    (local $threads:thread@8 i32) (local $capacity i32) (local $threads:thread@16 i32)
    (local $i14 i32) (local $threads:thread@16:capacity i32) (local $i16 i32) (local $i17 i32)
    (local $i18 i32) (local $i19 i32) (local $i20 i32) (local $threads:thread@20 i32)
    (local $v22 v128) (local $i23 i32) (local $i24 i32) (local $i25 i32) (local $i26 i32)
    (local $i27 i32) (local $k i32) (local $i29 i32) (local $i30 i32) (local $positions:k i32)
    (local $i32 i32) (local $d33 f64) (local $d34 f64) (local $d35 f64) (local $i36 i32)
    (local $i37 i32) (local $i38 i32) (local $i39 i32) (local $d40 f64) (local $d41 f64)
    (local $d42 f64) (local $d43 f64) (local $d44 f64) (local $d45 f64) (local $d46 f64)
    (local $d47 f64) (local $i48 i32) (local $i49 i32) (local $d50 f64) (local $d51 f64)
    (local $d52 f64) (local $i53 i32) (local $i54 i32) (local $i55 i32) (local $i56 i32)
    (local $d57 f64) (local $d58 f64) (local $d59 f64) (local $d60 f64) (local $d61 f64)
    (local $d62 f64) (local $d63 f64) (local $d64 f64) (local $v65 v128) (local $k#2 i32)
    (local $v67 v128) (local $v68 v128) (local $v69 v128) (local $v70 v128) (local $v71 v128)
    (local $i72 i32) (local $v73 v128) (local $d74 f64) (local $o.force i32) (local $i76 i32)
    (local $k#3 i32) (local $i78 i32) (local $d79 f64) (local $i80 i32) (local $d81 f64)
    (local $i82 i32) (local $k#4 i32) (local $i84 i32) (local $d85 f64) (local $i86 i32)
    (local.set $positions (i32.load (local.get $args)))
    (local.set $shifts (i32.load offset=8 (local.get $args)))
    (local.set $cutoff2 (f64.load offset=16 (local.get $args)))
    (local.set $threads (i32.load offset=24 (local.get $args)))
    (local.set $threads:thread
      (i32.add (local.get $threads) (i32.mul (local.get $thread) (i32.const 24))))
    (local.set $threads:thread@0 (i32.load (local.get $threads:thread)))
    (local.set $threads:thread@4 (i32.load offset=4 (local.get $threads:thread)))
    (local.set $threads:thread@8 (i32.load offset=8 (local.get $threads:thread)))
    (local.set $capacity (i32.load offset=32 (local.get $args)))
    (local.set $threads:thread@16 (i32.load offset=16 (local.get $threads:thread)))
    (local.set $i14 (i32.sub (local.get $capacity) (i32.const 1)))
    (local.set $threads:thread@16:capacity
      (i32.add (local.get $threads:thread@16) (i32.shl (local.get $capacity) (i32.const 3))))
    (local.set $i16
      (i32.add
        (local.get $threads:thread@16:capacity)
        (i32.shl (local.get $capacity) (i32.const 4))))
    (local.set $i17 (i32.add (local.get $i16) (i32.shl (local.get $capacity) (i32.const 4))))
    (local.set $i18 (i32.add (local.get $i17) (i32.shl (local.get $capacity) (i32.const 4))))
    (local.set $i19 (i32.add (local.get $i18) (i32.shl (local.get $capacity) (i32.const 4))))
    (local.set $i20 (i32.add (local.get $i19) (i32.shl (local.get $capacity) (i32.const 4))))
    (local.set $threads:thread@20 (i32.load offset=20 (local.get $threads:thread)))
    (local.set $o.force (i32.load offset=40 (local.get $args)))
    (local.set $i23 (local.get $threads:thread@0))
    (local.set $i24 (local.get $threads:thread@4))
    (block $b0
      (loop $b1
        (br_if $b0 (i32.eqz (i32.lt_u (local.get $i23) (local.get $i24))))
        (local.set $i25
          (i32.add
            (local.get $i23)
            (i32.shl
              (i32.shr_u (i32.sub (local.get $i24) (local.get $i23)) (i32.const 5))
              (i32.const 4))))
        (if
          (i32.lt_s (i32.load (local.get $i25)) (local.get $begin))
          (then
            (local.set $i23 (i32.add (local.get $i25) (i32.const 16))))
          (else
            (local.set $i24 (local.get $i25))))
        (br $b1)))
    (local.set $k (local.get $begin))
    (block $b2
      (loop $b3
        (br_if $b2 (i32.eqz (i32.lt_s (local.get $k) (local.get $end))))
        (local.set $i26 (i32.const 0))
        (local.set $i29 (i32.add (local.get $k) (i32.const 1)))
        (local.set $i30
          (select
            (local.get $i29)
            (i32.sub (local.get $end) (i32.const 1))
            (i32.lt_s (local.get $i29) (local.get $end))))
        (local.set $i27 (i32.const 0))
        (local.set $positions:k
          (i32.add (local.get $positions) (i32.shl (local.get $k) (i32.const 5))))
        (block $b4
          (loop $b5
            (br_if $b4 (i32.eqz (i32.lt_u (local.get $i23) (local.get $threads:thread@4))))
            (br_if $b4 (i32.ne (i32.load (local.get $i23)) (local.get $k)))
            (local.set $i32
              (i32.add
                (local.get $shifts)
                (i32.shl (i32.load offset=4 (local.get $i23)) (i32.const 5))))
            (local.set $d33
              (f64.add (f64.load (local.get $positions:k)) (f64.load (local.get $i32))))
            (local.set $d34
              (f64.add
                (f64.load offset=8 (local.get $positions:k))
                (f64.load offset=8 (local.get $i32))))
            (local.set $d35
              (f64.add
                (f64.load offset=16 (local.get $positions:k))
                (f64.load offset=16 (local.get $i32))))
            (local.set $i36
              (i32.add
                (local.get $threads:thread@8)
                (i32.shl (i32.load offset=8 (local.get $i23)) (i32.const 2))))
            (local.set $i37
              (i32.add
                (local.get $threads:thread@8)
                (i32.shl (i32.load offset=12 (local.get $i23)) (i32.const 2))))
            (block $b6
              (loop $b7
                (br_if $b6 (i32.eqz (i32.lt_u (local.get $i36) (local.get $i37))))
                (local.set $i38 (i32.load (local.get $i36)))
                (local.set $i39
                  (i32.add (local.get $positions) (i32.shl (local.get $i38) (i32.const 5))))
                (local.set $d40 (f64.sub (local.get $d33) (f64.load (local.get $i39))))
                (local.set $d41 (f64.sub (local.get $d34) (f64.load offset=8 (local.get $i39))))
                (local.set $d42 (f64.sub (local.get $d35) (f64.load offset=16 (local.get $i39))))
                (local.set $d43
                  (f64.add
                    (f64.add
                      (f64.mul (local.get $d40) (local.get $d40))
                      (f64.mul (local.get $d41) (local.get $d41)))
                    (f64.mul (local.get $d42) (local.get $d42))))
                (if
                  (f64.lt (local.get $d43) (local.get $cutoff2))
                  (then
                    (local.set $d44 (local.get $d40))
                    (local.set $d45 (local.get $d41))
                    (local.set $d46 (local.get $d42))
                    (local.set $d47 (local.get $d43))
                    (i32.store
                      (i32.add
                        (local.get $threads:thread@16)
                        (i32.shl (i32.and (local.get $i26) (local.get $i14)) (i32.const 3)))
                      (local.get $i38))
                    (f64.store
                      (i32.add
                        (local.get $threads:thread@16:capacity)
                        (i32.shl (i32.and (local.get $i26) (local.get $i14)) (i32.const 4)))
                      (local.get $d44))
                    (f64.store
                      (i32.add
                        (local.get $i16)
                        (i32.shl (i32.and (local.get $i26) (local.get $i14)) (i32.const 4)))
                      (local.get $d45))
                    (f64.store
                      (i32.add
                        (local.get $i17)
                        (i32.shl (i32.and (local.get $i26) (local.get $i14)) (i32.const 4)))
                      (local.get $d46))
                    (f64.store
                      (i32.add
                        (local.get $i18)
                        (i32.shl (i32.and (local.get $i26) (local.get $i14)) (i32.const 4)))
                      (local.get $d47))
                    (f64.store
                      (i32.add
                        (local.get $i19)
                        (i32.shl (i32.and (local.get $i26) (local.get $i14)) (i32.const 4)))
                      (f64.const 0))
                    (local.set $i26 (i32.add (local.get $i26) (i32.const 1)))))
                (local.set $i36 (i32.add (local.get $i36) (i32.const 4)))
                (br $b7)))
            (local.set $i23 (i32.add (local.get $i23) (i32.const 16)))
            (br $b5)))
        (if
          (i32.lt_s (i32.add (local.get $k) (i32.const 1)) (local.get $end))
          (then
            (local.set $i48 (i32.add (local.get $positions) (i32.shl (local.get $i30) (i32.const 5))))
            (block $b8
              (loop $b9
                (br_if $b8 (i32.eqz (i32.lt_u (local.get $i23) (local.get $threads:thread@4))))
                (br_if $b8 (i32.ne (i32.load (local.get $i23)) (local.get $i30)))
                (local.set $i49
                  (i32.add
                    (local.get $shifts)
                    (i32.shl (i32.load offset=4 (local.get $i23)) (i32.const 5))))
                (local.set $d50 (f64.add (f64.load (local.get $i48)) (f64.load (local.get $i49))))
                (local.set $d51
                  (f64.add (f64.load offset=8 (local.get $i48)) (f64.load offset=8 (local.get $i49))))
                (local.set $d52
                  (f64.add
                    (f64.load offset=16 (local.get $i48))
                    (f64.load offset=16 (local.get $i49))))
                (local.set $i53
                  (i32.add
                    (local.get $threads:thread@8)
                    (i32.shl (i32.load offset=8 (local.get $i23)) (i32.const 2))))
                (local.set $i54
                  (i32.add
                    (local.get $threads:thread@8)
                    (i32.shl (i32.load offset=12 (local.get $i23)) (i32.const 2))))
                (block $b10
                  (loop $b11
                    (br_if $b10 (i32.eqz (i32.lt_u (local.get $i53) (local.get $i54))))
                    (local.set $i55 (i32.load (local.get $i53)))
                    (local.set $i56
                      (i32.add (local.get $positions) (i32.shl (local.get $i55) (i32.const 5))))
                    (local.set $d57 (f64.sub (local.get $d50) (f64.load (local.get $i56))))
                    (local.set $d58 (f64.sub (local.get $d51) (f64.load offset=8 (local.get $i56))))
                    (local.set $d59 (f64.sub (local.get $d52) (f64.load offset=16 (local.get $i56))))
                    (local.set $d60
                      (f64.add
                        (f64.add
                          (f64.mul (local.get $d57) (local.get $d57))
                          (f64.mul (local.get $d58) (local.get $d58)))
                        (f64.mul (local.get $d59) (local.get $d59))))
                    (if
                      (f64.lt (local.get $d60) (local.get $cutoff2))
                      (then
                        (local.set $d61 (local.get $d57))
                        (local.set $d62 (local.get $d58))
                        (local.set $d63 (local.get $d59))
                        (local.set $d64 (local.get $d60))
                        (i32.store
                          (i32.add
                            (i32.add
                              (local.get $threads:thread@16)
                              (i32.shl (i32.and (local.get $i27) (local.get $i14)) (i32.const 3)))
                            (i32.const 4))
                          (local.get $i55))
                        (f64.store
                          (i32.add
                            (i32.add
                              (local.get $threads:thread@16:capacity)
                              (i32.shl (i32.and (local.get $i27) (local.get $i14)) (i32.const 4)))
                            (i32.const 8))
                          (local.get $d61))
                        (f64.store
                          (i32.add
                            (i32.add
                              (local.get $i16)
                              (i32.shl (i32.and (local.get $i27) (local.get $i14)) (i32.const 4)))
                            (i32.const 8))
                          (local.get $d62))
                        (f64.store
                          (i32.add
                            (i32.add
                              (local.get $i17)
                              (i32.shl (i32.and (local.get $i27) (local.get $i14)) (i32.const 4)))
                            (i32.const 8))
                          (local.get $d63))
                        (f64.store
                          (i32.add
                            (i32.add
                              (local.get $i18)
                              (i32.shl (i32.and (local.get $i27) (local.get $i14)) (i32.const 4)))
                            (i32.const 8))
                          (local.get $d64))
                        (f64.store
                          (i32.add
                            (i32.add
                              (local.get $i19)
                              (i32.shl (i32.and (local.get $i27) (local.get $i14)) (i32.const 4)))
                            (i32.const 8))
                          (f64.const 0))
                        (local.set $i27 (i32.add (local.get $i27) (i32.const 1)))))
                    (local.set $i53 (i32.add (local.get $i53) (i32.const 4)))
                    (br $b11)))
                (local.set $i23 (i32.add (local.get $i23) (i32.const 16)))
                (br $b9)))))
        (local.set $v22 (v128.const i32x4 0x00000000 0x00000000 0x00000000 0x00000000))
        (local.set $v65 (i32x4.replace_lane 1 (i32x4.splat (local.get $i26)) (local.get $i27)))
        (block $b12
          (local.set $k#2 (i32.const 0))
          (local.set $v67 (v128.const i32x4 0xffffffff 0xffffffff 0xffffffff 0xffffffff))
          (block $b13
            (loop $b14
              (local.set $v68 (local.get $v65))
              (local.set $v67
                (v128.and
                  (local.get $v67)
                  (i64x2.extend_low_i32x4_s
                    (i32x4.lt_s
                      (i32x4.splat (local.get $k#2))
                      (i32x4.min_u
                        (local.get $v68)
                        (v128.const i32x4 0x7fffffff 0x7fffffff 0x7fffffff 0x7fffffff))))))
              (br_if $b13 (i32.eqz (v128.any_true (local.get $v67))))
              (block $b15
                (local.set $v69
                  (v128.load align=4
                    (i32.add
                      (local.get $threads:thread@16:capacity)
                      (i32.shl (i32.and (local.get $k#2) (local.get $i14)) (i32.const 4)))))
                (local.set $v70
                  (v128.bitselect
                    (f64x2.add
                      (local.get $v22)
                      (f64x2.mul
                        (v128.const i32x4 0x00000000 0x3fe00000 0x00000000 0x3fe00000)
                        (local.get $v69)))
                    (local.get $v22)
                    (local.get $v67)))
                (local.set $v22 (local.get $v70))
                (local.set $v71
                  (v128.load align=4
                    (i32.add
                      (local.get $threads:thread@16:capacity)
                      (i32.shl (i32.and (local.get $k#2) (local.get $i14)) (i32.const 4)))))
                (local.set $i72
                  (i32.add
                    (local.get $i19)
                    (i32.shl (i32.and (local.get $k#2) (local.get $i14)) (i32.const 4))))
                (local.set $v73 (v128.load align=4 (local.get $i72)))
                (v128.store align=4
                  (local.get $i72)
                  (v128.bitselect
                    (f64x2.sub
                      (local.get $v73)
                      (f64x2.mul
                        (v128.const i32x4 0x00000000 0x3fe00000 0x00000000 0x3fe00000)
                        (local.get $v71)))
                    (local.get $v73)
                    (local.get $v67))))
              (local.set $k#2 (i32.add (local.get $k#2) (i32.const 1)))
              (br $b14))))
        ;; store and scatter
        (local.set $d74 (f64x2.extract_lane 0 (local.get $v22)))
        (local.set $i76
          (i32.add
            (i32.add (local.get $o.force) (i32.shl (local.get $k) (i32.const 5)))
            (i32.const 0)))
        (f64.store (local.get $i76) (f64.add (f64.load (local.get $i76)) (local.get $d74)))
        (local.set $k#3 (i32.const 0))
        (block $b16
          (loop $b17
            (br_if $b16 (i32.eqz (i32.lt_s (local.get $k#3) (local.get $i26))))
            (local.set $i78
              (i32.load
                (i32.add
                  (local.get $threads:thread@16)
                  (i32.shl (i32.and (local.get $k#3) (local.get $i14)) (i32.const 3)))))
            (local.set $d79
              (f64.load
                (i32.add
                  (local.get $i19)
                  (i32.shl (i32.and (local.get $k#3) (local.get $i14)) (i32.const 4)))))
            (local.set $i80
              (i32.add
                (i32.add (local.get $threads:thread@20) (i32.shl (local.get $i78) (i32.const 5)))
                (i32.const 0)))
            (f64.store (local.get $i80) (f64.add (f64.load (local.get $i80)) (local.get $d79)))
            (local.set $k#3 (i32.add (local.get $k#3) (i32.const 1)))
            (br $b17)))
        (if
          (i32.lt_s (i32.add (local.get $k) (i32.const 1)) (local.get $end))
          (then
            (local.set $d81 (f64x2.extract_lane 1 (local.get $v22)))
            (local.set $i82
              (i32.add
                (i32.add (local.get $o.force) (i32.shl (local.get $i30) (i32.const 5)))
                (i32.const 0)))
            (f64.store (local.get $i82) (f64.add (f64.load (local.get $i82)) (local.get $d81)))
            (local.set $k#4 (i32.const 0))
            (block $b18
              (loop $b19
                (br_if $b18 (i32.eqz (i32.lt_s (local.get $k#4) (local.get $i27))))
                (local.set $i84
                  (i32.load
                    (i32.add
                      (i32.add
                        (local.get $threads:thread@16)
                        (i32.shl (i32.and (local.get $k#4) (local.get $i14)) (i32.const 3)))
                      (i32.const 4))))
                (local.set $d85
                  (f64.load
                    (i32.add
                      (i32.add
                        (local.get $i19)
                        (i32.shl (i32.and (local.get $k#4) (local.get $i14)) (i32.const 4)))
                      (i32.const 8))))
                (local.set $i86
                  (i32.add
                    (i32.add (local.get $threads:thread@20) (i32.shl (local.get $i84) (i32.const 5)))
                    (i32.const 0)))
                (f64.store (local.get $i86) (f64.add (f64.load (local.get $i86)) (local.get $d85)))
                (local.set $k#4 (i32.add (local.get $k#4) (i32.const 1)))
                (br $b19)))))
        (local.set $k (i32.add (local.get $k) (i32.const 2)))
        (br $b3)))))
