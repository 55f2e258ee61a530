;; pair.reduce.f32.f64.balanced
;;
;; Adds the buffers of all parts to a block, in the order of the parts, and clears them.
(module
  (import "env" "memory" (memory 1 65536 shared))

  (func $run (export "run") (param $args i32) (param $begin i32) (param $end i32) (param $thread i32)
    (local $target i32) (local $buffers i32) (local $count i32) (local $v7 v128)
    (local $balance i32) (local $v9 v128) (local $v10 v128) (local $i11 i32) (local $i12 i32)
    (local $i13 i32) (local $i14 i32) (local $i15 i32) (local $i16 i32) (local $i17 i32)
    (local $i18 i32) (local $i19 i32) (local $i20 i32) (local $v21 v128)
    (local.set $target (i32.load (local.get $args)))
    (local.set $buffers (i32.load offset=8 (local.get $args)))
    (local.set $count (i32.load offset=16 (local.get $args)))
    (local.set $v7 (v128.const i32x4 0x00000000 0x00000000 0x00000000 0x00000000))
    (local.set $balance (i32.load offset=24 (local.get $args)))
    (local.set $v9 (v128.load align=4 (local.get $balance)))
    (local.set $v10 (v128.load offset=16 align=4 (local.get $balance)))
    (local.set $i11 (i32.const 0))
    (block $b0
      (loop $b1
        (br_if $b0 (i32.eqz (i32.lt_s (local.get $i11) (local.get $count))))
        (local.set $i12 (i32.add (local.get $buffers) (i32.shl (local.get $i11) (i32.const 4))))
        (local.set $i13 (i32.load (local.get $i12)))
        (local.set $i14 (i32.load offset=4 (local.get $i12)))
        (local.set $i15 (i32.load offset=8 (local.get $i12)))
        (local.set $i16
          (select
            (local.get $begin)
            (local.get $i14)
            (i32.gt_s (local.get $begin) (local.get $i14))))
        (local.set $i17
          (select (local.get $end) (local.get $i15) (i32.lt_s (local.get $end) (local.get $i15))))
        (local.set $i18 (local.get $i16))
        (block $b2
          (loop $b3
            (br_if $b2 (i32.eqz (i32.lt_s (local.get $i18) (local.get $i17))))
            (local.set $i19 (i32.add (local.get $target) (i32.shl (local.get $i18) (i32.const 5))))
            (local.set $i20 (i32.add (local.get $i13) (i32.shl (local.get $i18) (i32.const 4))))
            (local.set $v21 (v128.load align=4 (local.get $i20)))
            (if
              (v128.any_true (local.get $v21))
              (then
                (v128.store align=4
                  (local.get $i19)
                  (f64x2.add
                    (v128.load align=4 (local.get $i19))
                    (f64x2.add (f64x2.promote_low_f32x4 (local.get $v21)) (local.get $v9))))
                (v128.store offset=16 align=4
                  (local.get $i19)
                  (f64x2.add
                    (v128.load offset=16 align=4 (local.get $i19))
                    (f64x2.add
                      (f64x2.promote_low_f32x4 (v128.load64_zero offset=8 (local.get $i20)))
                      (local.get $v10))))))
            (v128.store align=4 (local.get $i20) (local.get $v7))
            (local.set $i18 (i32.add (local.get $i18) (i32.const 1)))
            (br $b3)))
        (local.set $i11 (i32.add (local.get $i11) (i32.const 1)))
        (br $b1)))))
