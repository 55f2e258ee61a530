;; neighbors.permute
;;
;; Copies row order[k] of a block to row k; rows of 32, 16, 8 or 4 bytes.
(module
  (import "env" "memory" (memory 1 65536 shared))

  (func $run (export "run") (param $args i32) (param $begin i32) (param $end i32) (param $thread i32)
    (local $source i32) (local $target i32) (local $order i32) (local $bytes i32) (local $k i32)
    (local $from i32) (local $to i32) (local $k#2 i32) (local $from#2 i32) (local $to#2 i32)
    (local $k#3 i32) (local $from#3 i32) (local $to#3 i32) (local $k#4 i32) (local $from#4 i32)
    (local $to#4 i32)
    (local.set $source (i32.load (local.get $args)))
    (local.set $target (i32.load offset=8 (local.get $args)))
    (local.set $order (i32.load offset=16 (local.get $args)))
    (local.set $bytes (i32.load offset=24 (local.get $args)))
    (if
      (i32.eq (local.get $bytes) (i32.const 32))
      (then
        (local.set $k (local.get $begin))
        (block $b0
          (loop $b1
            (br_if $b0 (i32.eqz (i32.lt_s (local.get $k) (local.get $end))))
            (local.set $from
              (i32.add
                (local.get $source)
                (i32.shl
                  (i32.load (i32.add (local.get $order) (i32.shl (local.get $k) (i32.const 2))))
                  (i32.const 5))))
            (local.set $to (i32.add (local.get $target) (i32.shl (local.get $k) (i32.const 5))))
            (v128.store align=4 (local.get $to) (v128.load align=4 (local.get $from)))
            (v128.store offset=16 align=4
              (local.get $to)
              (v128.load offset=16 align=4 (local.get $from)))
            (local.set $k (i32.add (local.get $k) (i32.const 1)))
            (br $b1)))))
    (if
      (i32.eq (local.get $bytes) (i32.const 16))
      (then
        (local.set $k#2 (local.get $begin))
        (block $b2
          (loop $b3
            (br_if $b2 (i32.eqz (i32.lt_s (local.get $k#2) (local.get $end))))
            (local.set $from#2
              (i32.add
                (local.get $source)
                (i32.shl
                  (i32.load (i32.add (local.get $order) (i32.shl (local.get $k#2) (i32.const 2))))
                  (i32.const 4))))
            (local.set $to#2 (i32.add (local.get $target) (i32.shl (local.get $k#2) (i32.const 4))))
            (v128.store align=4 (local.get $to#2) (v128.load align=4 (local.get $from#2)))
            (local.set $k#2 (i32.add (local.get $k#2) (i32.const 1)))
            (br $b3)))))
    (if
      (i32.eq (local.get $bytes) (i32.const 8))
      (then
        (local.set $k#3 (local.get $begin))
        (block $b4
          (loop $b5
            (br_if $b4 (i32.eqz (i32.lt_s (local.get $k#3) (local.get $end))))
            (local.set $from#3
              (i32.add
                (local.get $source)
                (i32.shl
                  (i32.load (i32.add (local.get $order) (i32.shl (local.get $k#3) (i32.const 2))))
                  (i32.const 3))))
            (local.set $to#3 (i32.add (local.get $target) (i32.shl (local.get $k#3) (i32.const 3))))
            (f64.store (local.get $to#3) (f64.load (local.get $from#3)))
            (local.set $k#3 (i32.add (local.get $k#3) (i32.const 1)))
            (br $b5)))))
    (if
      (i32.eq (local.get $bytes) (i32.const 4))
      (then
        (local.set $k#4 (local.get $begin))
        (block $b6
          (loop $b7
            (br_if $b6 (i32.eqz (i32.lt_s (local.get $k#4) (local.get $end))))
            (local.set $from#4
              (i32.add
                (local.get $source)
                (i32.shl
                  (i32.load (i32.add (local.get $order) (i32.shl (local.get $k#4) (i32.const 2))))
                  (i32.const 2))))
            (local.set $to#4 (i32.add (local.get $target) (i32.shl (local.get $k#4) (i32.const 2))))
            (i32.store (local.get $to#4) (i32.load (local.get $from#4)))
            (local.set $k#4 (i32.add (local.get $k#4) (i32.const 1)))
            (br $b7)))))))
