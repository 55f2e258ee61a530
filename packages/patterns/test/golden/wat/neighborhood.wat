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
    (local $i18 i32) (local $i19 i32) (local $threads:thread@20 i32) (local $v21 v128)
    (local $i22 i32) (local $i23 i32) (local $i24 i32) (local $i25 i32) (local $i26 i32)
    (local $k i32) (local $i28 i32) (local $i29 i32) (local $positions:k i32) (local $i31 i32)
    (local $d32 f64) (local $d33 f64) (local $d34 f64) (local $i35 i32) (local $i36 i32)
    (local $i37 i32) (local $i38 i32) (local $d39 f64) (local $d40 f64) (local $d41 f64)
    (local $d42 f64) (local $d43 f64) (local $d44 f64) (local $d45 f64) (local $d46 f64)
    (local $i47 i32) (local $i48 i32) (local $d49 f64) (local $d50 f64) (local $d51 f64)
    (local $i52 i32) (local $i53 i32) (local $i54 i32) (local $i55 i32) (local $d56 f64)
    (local $d57 f64) (local $d58 f64) (local $d59 f64) (local $d60 f64) (local $d61 f64)
    (local $d62 f64) (local $d63 f64) (local $v64 v128) (local $k#2 i32) (local $v66 v128)
    (local $v67 v128) (local $v68 v128) (local $v69 v128) (local $v70 v128) (local $k#3 i32)
    (local $i72 i32) (local $i73 i32) (local $i74 i32) (local $i75 i32) (local $d76 f64)
    (local $d77 f64) (local $v78 v128) (local $v79 v128) (local $v80 v128) (local $v81 v128)
    (local $v82 v128) (local $v83 v128) (local $k#4 i32) (local $i85 i32) (local $i86 i32)
    (local $i87 i32) (local $i88 i32) (local $d89 f64) (local $d90 f64) (local $d91 f64)
    (local $o.force i32) (local $i93 i32) (local $d94 f64) (local $i95 i32)
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
    (local.set $threads:thread@20 (i32.load offset=20 (local.get $threads:thread)))
    (local.set $o.force (i32.load offset=40 (local.get $args)))
    (local.set $i22 (local.get $threads:thread@0))
    (local.set $i23 (local.get $threads:thread@4))
    (block $b0
      (loop $b1
        (br_if $b0 (i32.eqz (i32.lt_u (local.get $i22) (local.get $i23))))
        (local.set $i24
          (i32.add
            (local.get $i22)
            (i32.shl
              (i32.shr_u (i32.sub (local.get $i23) (local.get $i22)) (i32.const 5))
              (i32.const 4))))
        (if
          (i32.lt_s (i32.load (local.get $i24)) (local.get $begin))
          (then
            (local.set $i22 (i32.add (local.get $i24) (i32.const 16))))
          (else
            (local.set $i23 (local.get $i24))))
        (br $b1)))
    (local.set $k (local.get $begin))
    (block $b2
      (loop $b3
        (br_if $b2 (i32.eqz (i32.lt_s (local.get $k) (local.get $end))))
        (local.set $i25 (i32.const 0))
        (local.set $i28 (i32.add (local.get $k) (i32.const 1)))
        (local.set $i29
          (select
            (local.get $i28)
            (i32.sub (local.get $end) (i32.const 1))
            (i32.lt_s (local.get $i28) (local.get $end))))
        (local.set $i26 (i32.const 0))
        (local.set $positions:k
          (i32.add (local.get $positions) (i32.shl (local.get $k) (i32.const 5))))
        (block $b4
          (loop $b5
            (br_if $b4 (i32.eqz (i32.lt_u (local.get $i22) (local.get $threads:thread@4))))
            (br_if $b4 (i32.ne (i32.load (local.get $i22)) (local.get $k)))
            (local.set $i31
              (i32.add
                (local.get $shifts)
                (i32.shl (i32.load offset=4 (local.get $i22)) (i32.const 5))))
            (local.set $d32
              (f64.add (f64.load (local.get $positions:k)) (f64.load (local.get $i31))))
            (local.set $d33
              (f64.add
                (f64.load offset=8 (local.get $positions:k))
                (f64.load offset=8 (local.get $i31))))
            (local.set $d34
              (f64.add
                (f64.load offset=16 (local.get $positions:k))
                (f64.load offset=16 (local.get $i31))))
            (local.set $i35
              (i32.add
                (local.get $threads:thread@8)
                (i32.shl (i32.load offset=8 (local.get $i22)) (i32.const 2))))
            (local.set $i36
              (i32.add
                (local.get $threads:thread@8)
                (i32.shl (i32.load offset=12 (local.get $i22)) (i32.const 2))))
            (block $b6
              (loop $b7
                (br_if $b6 (i32.eqz (i32.lt_u (local.get $i35) (local.get $i36))))
                (local.set $i37 (i32.load (local.get $i35)))
                (local.set $i38
                  (i32.add (local.get $positions) (i32.shl (local.get $i37) (i32.const 5))))
                (local.set $d39 (f64.sub (local.get $d32) (f64.load (local.get $i38))))
                (local.set $d40 (f64.sub (local.get $d33) (f64.load offset=8 (local.get $i38))))
                (local.set $d41 (f64.sub (local.get $d34) (f64.load offset=16 (local.get $i38))))
                (local.set $d42
                  (f64.add
                    (f64.add
                      (f64.mul (local.get $d39) (local.get $d39))
                      (f64.mul (local.get $d40) (local.get $d40)))
                    (f64.mul (local.get $d41) (local.get $d41))))
                (local.set $d43 (local.get $d39))
                (local.set $d44 (local.get $d40))
                (local.set $d45 (local.get $d41))
                (local.set $d46 (local.get $d42))
                (i32.store
                  (i32.add
                    (local.get $threads:thread@16)
                    (i32.shl (i32.and (local.get $i25) (local.get $i14)) (i32.const 3)))
                  (local.get $i37))
                (f64.store
                  (i32.add
                    (local.get $threads:thread@16:capacity)
                    (i32.shl (i32.and (local.get $i25) (local.get $i14)) (i32.const 4)))
                  (local.get $d43))
                (f64.store
                  (i32.add
                    (local.get $i16)
                    (i32.shl (i32.and (local.get $i25) (local.get $i14)) (i32.const 4)))
                  (local.get $d44))
                (f64.store
                  (i32.add
                    (local.get $i17)
                    (i32.shl (i32.and (local.get $i25) (local.get $i14)) (i32.const 4)))
                  (local.get $d45))
                (f64.store
                  (i32.add
                    (local.get $i18)
                    (i32.shl (i32.and (local.get $i25) (local.get $i14)) (i32.const 4)))
                  (local.get $d46))
                (local.set $i25
                  (i32.add (local.get $i25) (f64.lt (local.get $d42) (local.get $cutoff2))))
                (local.set $i35 (i32.add (local.get $i35) (i32.const 4)))
                (br $b7)))
            (local.set $i22 (i32.add (local.get $i22) (i32.const 16)))
            (br $b5)))
        (if
          (i32.lt_s (i32.add (local.get $k) (i32.const 1)) (local.get $end))
          (then
            (local.set $i47 (i32.add (local.get $positions) (i32.shl (local.get $i29) (i32.const 5))))
            (block $b8
              (loop $b9
                (br_if $b8 (i32.eqz (i32.lt_u (local.get $i22) (local.get $threads:thread@4))))
                (br_if $b8 (i32.ne (i32.load (local.get $i22)) (local.get $i29)))
                (local.set $i48
                  (i32.add
                    (local.get $shifts)
                    (i32.shl (i32.load offset=4 (local.get $i22)) (i32.const 5))))
                (local.set $d49 (f64.add (f64.load (local.get $i47)) (f64.load (local.get $i48))))
                (local.set $d50
                  (f64.add (f64.load offset=8 (local.get $i47)) (f64.load offset=8 (local.get $i48))))
                (local.set $d51
                  (f64.add
                    (f64.load offset=16 (local.get $i47))
                    (f64.load offset=16 (local.get $i48))))
                (local.set $i52
                  (i32.add
                    (local.get $threads:thread@8)
                    (i32.shl (i32.load offset=8 (local.get $i22)) (i32.const 2))))
                (local.set $i53
                  (i32.add
                    (local.get $threads:thread@8)
                    (i32.shl (i32.load offset=12 (local.get $i22)) (i32.const 2))))
                (block $b10
                  (loop $b11
                    (br_if $b10 (i32.eqz (i32.lt_u (local.get $i52) (local.get $i53))))
                    (local.set $i54 (i32.load (local.get $i52)))
                    (local.set $i55
                      (i32.add (local.get $positions) (i32.shl (local.get $i54) (i32.const 5))))
                    (local.set $d56 (f64.sub (local.get $d49) (f64.load (local.get $i55))))
                    (local.set $d57 (f64.sub (local.get $d50) (f64.load offset=8 (local.get $i55))))
                    (local.set $d58 (f64.sub (local.get $d51) (f64.load offset=16 (local.get $i55))))
                    (local.set $d59
                      (f64.add
                        (f64.add
                          (f64.mul (local.get $d56) (local.get $d56))
                          (f64.mul (local.get $d57) (local.get $d57)))
                        (f64.mul (local.get $d58) (local.get $d58))))
                    (local.set $d60 (local.get $d56))
                    (local.set $d61 (local.get $d57))
                    (local.set $d62 (local.get $d58))
                    (local.set $d63 (local.get $d59))
                    (i32.store
                      (i32.add
                        (i32.add
                          (local.get $threads:thread@16)
                          (i32.shl (i32.and (local.get $i26) (local.get $i14)) (i32.const 3)))
                        (i32.const 4))
                      (local.get $i54))
                    (f64.store
                      (i32.add
                        (i32.add
                          (local.get $threads:thread@16:capacity)
                          (i32.shl (i32.and (local.get $i26) (local.get $i14)) (i32.const 4)))
                        (i32.const 8))
                      (local.get $d60))
                    (f64.store
                      (i32.add
                        (i32.add
                          (local.get $i16)
                          (i32.shl (i32.and (local.get $i26) (local.get $i14)) (i32.const 4)))
                        (i32.const 8))
                      (local.get $d61))
                    (f64.store
                      (i32.add
                        (i32.add
                          (local.get $i17)
                          (i32.shl (i32.and (local.get $i26) (local.get $i14)) (i32.const 4)))
                        (i32.const 8))
                      (local.get $d62))
                    (f64.store
                      (i32.add
                        (i32.add
                          (local.get $i18)
                          (i32.shl (i32.and (local.get $i26) (local.get $i14)) (i32.const 4)))
                        (i32.const 8))
                      (local.get $d63))
                    (local.set $i26
                      (i32.add (local.get $i26) (f64.lt (local.get $d59) (local.get $cutoff2))))
                    (local.set $i52 (i32.add (local.get $i52) (i32.const 4)))
                    (br $b11)))
                (local.set $i22 (i32.add (local.get $i22) (i32.const 16)))
                (br $b9)))))
        (local.set $v21 (v128.const i32x4 0x00000000 0x00000000 0x00000000 0x00000000))
        (local.set $v64 (i32x4.replace_lane 1 (i32x4.splat (local.get $i25)) (local.get $i26)))
        (block $b12
          (local.set $k#2 (i32.const 0))
          (block $b13
            (loop $b14
              (local.set $v66 (local.get $v64))
              (br_if $b13
                (i32.eqz
                  (i64x2.all_true
                    (i64x2.extend_low_i32x4_s
                      (i32x4.lt_s
                        (i32x4.splat (local.get $k#2))
                        (i32x4.min_u
                          (local.get $v66)
                          (v128.const i32x4 0x7fffffff 0x7fffffff 0x7fffffff 0x7fffffff)))))))
              (block $b15
                (local.set $v67
                  (v128.load align=4
                    (i32.add
                      (local.get $threads:thread@16:capacity)
                      (i32.shl (i32.and (local.get $k#2) (local.get $i14)) (i32.const 4)))))
                (local.set $v68
                  (f64x2.add
                    (local.get $v21)
                    (f64x2.mul
                      (v128.const i32x4 0x00000000 0x3fe00000 0x00000000 0x3fe00000)
                      (local.get $v67))))
                (local.set $v21 (local.get $v68))
                (local.set $v69
                  (v128.load align=4
                    (i32.add
                      (local.get $threads:thread@16:capacity)
                      (i32.shl (i32.and (local.get $k#2) (local.get $i14)) (i32.const 4)))))
                (local.set $v70
                  (f64x2.sub
                    (v128.const i32x4 0x00000000 0x00000000 0x00000000 0x00000000)
                    (f64x2.mul
                      (v128.const i32x4 0x00000000 0x3fe00000 0x00000000 0x3fe00000)
                      (local.get $v69))))
                (local.set $k#3 (local.get $k#2))
                (local.set $i72
                  (i32.load
                    (i32.add
                      (local.get $threads:thread@16)
                      (i32.shl (i32.and (local.get $k#3) (local.get $i14)) (i32.const 3)))))
                (local.set $i73
                  (i32.load
                    (i32.add
                      (i32.add
                        (local.get $threads:thread@16)
                        (i32.shl (i32.and (local.get $k#3) (local.get $i14)) (i32.const 3)))
                      (i32.const 4))))
                (local.set $i74
                  (i32.add (local.get $threads:thread@20) (i32.shl (local.get $i72) (i32.const 5))))
                (local.set $i75
                  (i32.add (local.get $threads:thread@20) (i32.shl (local.get $i73) (i32.const 5))))
                (local.set $d76 (f64x2.extract_lane 0 (local.get $v70)))
                (f64.store (local.get $i74) (f64.add (f64.load (local.get $i74)) (local.get $d76)))
                (local.set $d77 (f64x2.extract_lane 1 (local.get $v70)))
                (f64.store (local.get $i75) (f64.add (f64.load (local.get $i75)) (local.get $d77))))
              (local.set $k#2 (i32.add (local.get $k#2) (i32.const 1)))
              (br $b14)))
          (local.set $v78 (v128.const i32x4 0xffffffff 0xffffffff 0xffffffff 0xffffffff))
          (block $b16
            (loop $b17
              (local.set $v79 (local.get $v64))
              (local.set $v78
                (v128.and
                  (local.get $v78)
                  (i64x2.extend_low_i32x4_s
                    (i32x4.lt_s
                      (i32x4.splat (local.get $k#2))
                      (i32x4.min_u
                        (local.get $v79)
                        (v128.const i32x4 0x7fffffff 0x7fffffff 0x7fffffff 0x7fffffff))))))
              (br_if $b16 (i32.eqz (v128.any_true (local.get $v78))))
              (block $b18
                (local.set $v80
                  (v128.load align=4
                    (i32.add
                      (local.get $threads:thread@16:capacity)
                      (i32.shl (i32.and (local.get $k#2) (local.get $i14)) (i32.const 4)))))
                (local.set $v81
                  (v128.bitselect
                    (f64x2.add
                      (local.get $v21)
                      (f64x2.mul
                        (v128.const i32x4 0x00000000 0x3fe00000 0x00000000 0x3fe00000)
                        (local.get $v80)))
                    (local.get $v21)
                    (local.get $v78)))
                (local.set $v21 (local.get $v81))
                (local.set $v82
                  (v128.load align=4
                    (i32.add
                      (local.get $threads:thread@16:capacity)
                      (i32.shl (i32.and (local.get $k#2) (local.get $i14)) (i32.const 4)))))
                (local.set $v83
                  (v128.bitselect
                    (f64x2.sub
                      (v128.const i32x4 0x00000000 0x00000000 0x00000000 0x00000000)
                      (f64x2.mul
                        (v128.const i32x4 0x00000000 0x3fe00000 0x00000000 0x3fe00000)
                        (local.get $v82)))
                    (v128.const i32x4 0x00000000 0x00000000 0x00000000 0x00000000)
                    (local.get $v78)))
                (local.set $k#4 (local.get $k#2))
                (local.set $i85
                  (select
                    (i32.load
                      (i32.add
                        (local.get $threads:thread@16)
                        (i32.shl (i32.and (local.get $k#4) (local.get $i14)) (i32.const 3))))
                    (local.get $k)
                    (i32x4.extract_lane 0 (local.get $v78))))
                (local.set $i86
                  (select
                    (i32.load
                      (i32.add
                        (i32.add
                          (local.get $threads:thread@16)
                          (i32.shl (i32.and (local.get $k#4) (local.get $i14)) (i32.const 3)))
                        (i32.const 4)))
                    (local.get $i29)
                    (i32x4.extract_lane 2 (local.get $v78))))
                (local.set $i87
                  (i32.add (local.get $threads:thread@20) (i32.shl (local.get $i85) (i32.const 5))))
                (local.set $i88
                  (i32.add (local.get $threads:thread@20) (i32.shl (local.get $i86) (i32.const 5))))
                (local.set $d89 (f64x2.extract_lane 0 (local.get $v83)))
                (f64.store (local.get $i87) (f64.add (f64.load (local.get $i87)) (local.get $d89)))
                (local.set $d90 (f64x2.extract_lane 1 (local.get $v83)))
                (f64.store (local.get $i88) (f64.add (f64.load (local.get $i88)) (local.get $d90))))
              (local.set $k#2 (i32.add (local.get $k#2) (i32.const 1)))
              (br $b17))))
        ;; store and scatter
        (local.set $d91 (f64x2.extract_lane 0 (local.get $v21)))
        (local.set $i93
          (i32.add
            (i32.add (local.get $o.force) (i32.shl (local.get $k) (i32.const 5)))
            (i32.const 0)))
        (f64.store (local.get $i93) (f64.add (f64.load (local.get $i93)) (local.get $d91)))
        (if
          (i32.lt_s (i32.add (local.get $k) (i32.const 1)) (local.get $end))
          (then
            (local.set $d94 (f64x2.extract_lane 1 (local.get $v21)))
            (local.set $i95
              (i32.add
                (i32.add (local.get $o.force) (i32.shl (local.get $i29) (i32.const 5)))
                (i32.const 0)))
            (f64.store (local.get $i95) (f64.add (f64.load (local.get $i95)) (local.get $d94)))))
        (local.set $k (i32.add (local.get $k) (i32.const 2)))
        (br $b3)))))
