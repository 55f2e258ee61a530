;; pair.reduce.f32.f64.balanced
;;
;; Adds the buffers of all parts to a block, in the order of the parts, and clears them.
(module
  (import "env" "memory" (memory 1 65536 shared))

  (func $run (export "run") (param $args i32) (param $begin i32) (param $end#2 i32) (param $thread i32)
    (local $target i32) (local $buffers i32) (local $count i32) (local $constant v128)
    (local $balance i32) (local $balance@0 v128) (local $balance@16 v128) (local $k i32)
    (local $buffers:k i32) (local $buffers:k@0 i32) (local $first i32) (local $end i32)
    (local $from i32) (local $to i32) (local $k#2 i32) (local $target:k i32)
    (local $buffers:k@0:k i32) (local $buffers:k@0:k@0 v128)
    (local.set $target (i32.load (local.get $args)))
    (local.set $buffers (i32.load offset=8 (local.get $args)))
    (local.set $count (i32.load offset=16 (local.get $args)))
    (local.set $constant (v128.const i32x4 0x00000000 0x00000000 0x00000000 0x00000000))
    (local.set $balance (i32.load offset=24 (local.get $args)))
    (local.set $balance@0 (v128.load align=4 (local.get $balance)))
    (local.set $balance@16 (v128.load offset=16 align=4 (local.get $balance)))
    (local.set $k (i32.const 0))
    (block $b0
      (loop $b1
        (br_if $b0 (i32.eqz (i32.lt_s (local.get $k) (local.get $count))))
        (local.set $buffers:k (i32.add (local.get $buffers) (i32.shl (local.get $k) (i32.const 4))))
        (local.set $buffers:k@0 (i32.load (local.get $buffers:k)))
        (local.set $first (i32.load offset=4 (local.get $buffers:k)))
        (local.set $end (i32.load offset=8 (local.get $buffers:k)))
        (local.set $from
          (select
            (local.get $begin)
            (local.get $first)
            (i32.gt_s (local.get $begin) (local.get $first))))
        (local.set $to
          (select
            (local.get $end#2)
            (local.get $end)
            (i32.lt_s (local.get $end#2) (local.get $end))))
        (local.set $k#2 (local.get $from))
        (block $b2
          (loop $b3
            (br_if $b2 (i32.eqz (i32.lt_s (local.get $k#2) (local.get $to))))
            (local.set $target:k
              (i32.add (local.get $target) (i32.shl (local.get $k#2) (i32.const 5))))
            (local.set $buffers:k@0:k
              (i32.add (local.get $buffers:k@0) (i32.shl (local.get $k#2) (i32.const 4))))
            (local.set $buffers:k@0:k@0 (v128.load align=4 (local.get $buffers:k@0:k)))
            (if
              (v128.any_true (local.get $buffers:k@0:k@0))
              (then
                (v128.store align=4
                  (local.get $target:k)
                  (f64x2.add
                    (v128.load align=4 (local.get $target:k))
                    (f64x2.add
                      (f64x2.promote_low_f32x4 (local.get $buffers:k@0:k@0))
                      (local.get $balance@0))))
                (v128.store offset=16 align=4
                  (local.get $target:k)
                  (f64x2.add
                    (v128.load offset=16 align=4 (local.get $target:k))
                    (f64x2.add
                      (f64x2.promote_low_f32x4 (v128.load64_zero offset=8 (local.get $buffers:k@0:k)))
                      (local.get $balance@16))))))
            (v128.store align=4 (local.get $buffers:k@0:k) (local.get $constant))
            (local.set $k#2 (i32.add (local.get $k#2) (i32.const 1)))
            (br $b3)))
        (local.set $k (i32.add (local.get $k) (i32.const 1)))
        (br $b1)))))
