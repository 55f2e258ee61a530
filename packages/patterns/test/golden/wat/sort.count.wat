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
    (local $cells i32) (local $k i32) (local $k#2 i32) (local $startOfCell i32)
    (local $firstRow i32) (local $k#3 i32) (local $k#4 i32) (local $nextOfCell i32)
    (local $newRow i32)
    (local.set $keys (i32.load (local.get $args)))
    (local.set $order (i32.load offset=8 (local.get $args)))
    (local.set $start (i32.load offset=16 (local.get $args)))
    (local.set $next (i32.load offset=24 (local.get $args)))
    (local.set $count (i32.load offset=32 (local.get $args)))
    (local.set $cells (i32.load offset=40 (local.get $args)))
    ;; count
    (local.set $k (i32.const 0))
    (block $b0
      (loop $b1
        (br_if $b0 (i32.eqz (i32.lt_s (local.get $k) (i32.add (local.get $cells) (i32.const 1)))))
        (i32.store
          (i32.add (local.get $start) (i32.shl (local.get $k) (i32.const 2)))
          (i32.const 0))
        (local.set $k (i32.add (local.get $k) (i32.const 1)))
        (br $b1)))
    (local.set $k#2 (i32.const 0))
    (block $b2
      (loop $b3
        (br_if $b2 (i32.eqz (i32.lt_s (local.get $k#2) (local.get $count))))
        (local.set $startOfCell
          (i32.add
            (local.get $start)
            (i32.shl
              (i32.load (i32.add (local.get $keys) (i32.shl (local.get $k#2) (i32.const 2))))
              (i32.const 2))))
        (i32.store offset=4
          (local.get $startOfCell)
          (i32.add (i32.load offset=4 (local.get $startOfCell)) (i32.const 1)))
        (local.set $k#2 (i32.add (local.get $k#2) (i32.const 1)))
        (br $b3)))
    ;; sum
    (local.set $k#3 (i32.const 0))
    (block $b4
      (loop $b5
        (br_if $b4 (i32.eqz (i32.lt_s (local.get $k#3) (local.get $cells))))
        (i32.store
          (i32.add (local.get $next) (i32.shl (local.get $k#3) (i32.const 2)))
          (local.get $firstRow))
        (local.set $firstRow
          (i32.add
            (local.get $firstRow)
            (i32.load offset=4
              (i32.add (local.get $start) (i32.shl (local.get $k#3) (i32.const 2))))))
        (i32.store offset=4
          (i32.add (local.get $start) (i32.shl (local.get $k#3) (i32.const 2)))
          (local.get $firstRow))
        (local.set $k#3 (i32.add (local.get $k#3) (i32.const 1)))
        (br $b5)))
    ;; place
    (local.set $k#4 (i32.const 0))
    (block $b6
      (loop $b7
        (br_if $b6 (i32.eqz (i32.lt_s (local.get $k#4) (local.get $count))))
        (local.set $nextOfCell
          (i32.add
            (local.get $next)
            (i32.shl
              (i32.load (i32.add (local.get $keys) (i32.shl (local.get $k#4) (i32.const 2))))
              (i32.const 2))))
        (local.set $newRow (i32.load (local.get $nextOfCell)))
        (i32.store
          (i32.add (local.get $order) (i32.shl (local.get $newRow) (i32.const 2)))
          (local.get $k#4))
        (i32.store (local.get $nextOfCell) (i32.add (local.get $newRow) (i32.const 1)))
        (local.set $k#4 (i32.add (local.get $k#4) (i32.const 1)))
        (br $b7)))))
