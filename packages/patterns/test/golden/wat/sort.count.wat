;; neighbors.countingSort
;;
;; Stable counting sort of keys by cell, by one thread.
;;   count     particles of each cell
;;   sum       first row of each cell
;;   place     order[k] is the old row that becomes row k
(module
  (import "env" "memory" (memory 1 65536 shared))

  (func $run (export "run") (param $args i32) (param $begin i32) (param $end i32) (param $thread i32)
    (local $keys i32) (local $order i32) (local $start i32) (local $next i32) (local $count i32)
    (local $cells i32) (local $i10 i32) (local $i11 i32) (local $i12 i32) (local $i13 i32)
    (local $i14 i32) (local $i15 i32) (local $i16 i32) (local $i17 i32)
    (local.set $keys (i32.load (local.get $args)))
    (local.set $order (i32.load offset=8 (local.get $args)))
    (local.set $start (i32.load offset=16 (local.get $args)))
    (local.set $next (i32.load offset=24 (local.get $args)))
    (local.set $count (i32.load offset=32 (local.get $args)))
    (local.set $cells (i32.load offset=40 (local.get $args)))
    (local.set $i10 (i32.const 0))
    (block $b0
      (loop $b1
        (br_if $b0 (i32.eqz (i32.lt_s (local.get $i10) (i32.add (local.get $cells) (i32.const 1)))))
        (i32.store
          (i32.add (local.get $start) (i32.shl (local.get $i10) (i32.const 2)))
          (i32.const 0))
        (local.set $i10 (i32.add (local.get $i10) (i32.const 1)))
        (br $b1)))
    (local.set $i11 (i32.const 0))
    (block $b2
      (loop $b3
        (br_if $b2 (i32.eqz (i32.lt_s (local.get $i11) (local.get $count))))
        (local.set $i12
          (i32.add
            (local.get $start)
            (i32.shl
              (i32.load (i32.add (local.get $keys) (i32.shl (local.get $i11) (i32.const 2))))
              (i32.const 2))))
        (i32.store offset=4
          (local.get $i12)
          (i32.add (i32.load offset=4 (local.get $i12)) (i32.const 1)))
        (local.set $i11 (i32.add (local.get $i11) (i32.const 1)))
        (br $b3)))
    (local.set $i14 (i32.const 0))
    (block $b4
      (loop $b5
        (br_if $b4 (i32.eqz (i32.lt_s (local.get $i14) (local.get $cells))))
        (i32.store
          (i32.add (local.get $next) (i32.shl (local.get $i14) (i32.const 2)))
          (local.get $i13))
        (local.set $i13
          (i32.add
            (local.get $i13)
            (i32.load offset=4
              (i32.add (local.get $start) (i32.shl (local.get $i14) (i32.const 2))))))
        (i32.store offset=4
          (i32.add (local.get $start) (i32.shl (local.get $i14) (i32.const 2)))
          (local.get $i13))
        (local.set $i14 (i32.add (local.get $i14) (i32.const 1)))
        (br $b5)))
    (local.set $i15 (i32.const 0))
    (block $b6
      (loop $b7
        (br_if $b6 (i32.eqz (i32.lt_s (local.get $i15) (local.get $count))))
        (local.set $i16
          (i32.add
            (local.get $next)
            (i32.shl
              (i32.load (i32.add (local.get $keys) (i32.shl (local.get $i15) (i32.const 2))))
              (i32.const 2))))
        (local.set $i17 (i32.load (local.get $i16)))
        (i32.store
          (i32.add (local.get $order) (i32.shl (local.get $i17) (i32.const 2)))
          (local.get $i15))
        (i32.store (local.get $i16) (i32.add (local.get $i17) (i32.const 1)))
        (local.set $i15 (i32.add (local.get $i15) (i32.const 1)))
        (br $b7)))))
