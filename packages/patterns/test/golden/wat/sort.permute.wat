;; neighbors.permute
;;
;; Copies row order[k] of a block to row k; rows of 32, 16, 8 or 4 bytes.
(module
  (import "env" "memory" (memory 1 65536 shared))

  (func $run (export "run") (param $args i32) (param $begin i32) (param $end i32) (param $thread i32)
    (local $source i32) (local $target i32) (local $order i32) (local $bytes i32) (local $i8 i32)
    (local $i9 i32) (local $i10 i32) (local $i11 i32) (local $i12 i32) (local $i13 i32)
    (local $i14 i32) (local $i15 i32) (local $i16 i32) (local $i17 i32) (local $i18 i32)
    (local $i19 i32)
    (local.set $source (i32.load (local.get $args)))
    (local.set $target (i32.load offset=8 (local.get $args)))
    (local.set $order (i32.load offset=16 (local.get $args)))
    (local.set $bytes (i32.load offset=24 (local.get $args)))
    (if
      (i32.eq (local.get $bytes) (i32.const 32))
      (then
        (local.set $i8 (local.get $begin))
        (block $b0
          (loop $b1
            (br_if $b0 (i32.eqz (i32.lt_s (local.get $i8) (local.get $end))))
            (local.set $i9
              (i32.add
                (local.get $source)
                (i32.shl
                  (i32.load (i32.add (local.get $order) (i32.shl (local.get $i8) (i32.const 2))))
                  (i32.const 5))))
            (local.set $i10 (i32.add (local.get $target) (i32.shl (local.get $i8) (i32.const 5))))
            (v128.store align=4 (local.get $i10) (v128.load align=4 (local.get $i9)))
            (v128.store offset=16 align=4
              (local.get $i10)
              (v128.load offset=16 align=4 (local.get $i9)))
            (local.set $i8 (i32.add (local.get $i8) (i32.const 1)))
            (br $b1)))))
    (if
      (i32.eq (local.get $bytes) (i32.const 16))
      (then
        (local.set $i11 (local.get $begin))
        (block $b2
          (loop $b3
            (br_if $b2 (i32.eqz (i32.lt_s (local.get $i11) (local.get $end))))
            (local.set $i12
              (i32.add
                (local.get $source)
                (i32.shl
                  (i32.load (i32.add (local.get $order) (i32.shl (local.get $i11) (i32.const 2))))
                  (i32.const 4))))
            (local.set $i13 (i32.add (local.get $target) (i32.shl (local.get $i11) (i32.const 4))))
            (v128.store align=4 (local.get $i13) (v128.load align=4 (local.get $i12)))
            (local.set $i11 (i32.add (local.get $i11) (i32.const 1)))
            (br $b3)))))
    (if
      (i32.eq (local.get $bytes) (i32.const 8))
      (then
        (local.set $i14 (local.get $begin))
        (block $b4
          (loop $b5
            (br_if $b4 (i32.eqz (i32.lt_s (local.get $i14) (local.get $end))))
            (local.set $i15
              (i32.add
                (local.get $source)
                (i32.shl
                  (i32.load (i32.add (local.get $order) (i32.shl (local.get $i14) (i32.const 2))))
                  (i32.const 3))))
            (local.set $i16 (i32.add (local.get $target) (i32.shl (local.get $i14) (i32.const 3))))
            (f64.store (local.get $i16) (f64.load (local.get $i15)))
            (local.set $i14 (i32.add (local.get $i14) (i32.const 1)))
            (br $b5)))))
    (if
      (i32.eq (local.get $bytes) (i32.const 4))
      (then
        (local.set $i17 (local.get $begin))
        (block $b6
          (loop $b7
            (br_if $b6 (i32.eqz (i32.lt_s (local.get $i17) (local.get $end))))
            (local.set $i18
              (i32.add
                (local.get $source)
                (i32.shl
                  (i32.load (i32.add (local.get $order) (i32.shl (local.get $i17) (i32.const 2))))
                  (i32.const 2))))
            (local.set $i19 (i32.add (local.get $target) (i32.shl (local.get $i17) (i32.const 2))))
            (i32.store (local.get $i19) (i32.load (local.get $i18)))
            (local.set $i17 (i32.add (local.get $i17) (i32.const 1)))
            (br $b7)))))))
