;; neighbors.search.half
;;
;; Neighbor search: appends the half lists of the particles in cells begin … end − 1.
;;   fill      the particles of a cell's stencil go to a buffer, one segment a periodic image
;;   test      each particle of the cell meets four of them at a time
;;   store     row numbers within the radius are moved to the front and stored
(module
  (import "env" "memory" (memory 1 65536 shared))

  (func $run (export "run") (param $args i32) (param $begin i32) (param $end#2 i32) (param $thread i32)
    (local $start i32) (local $place i32) (local $line i32) (local $slab i32) (local $x i32)
    (local $y i32) (local $z i32) (local $slots i32) (local $rows i32) (local $rowCount i32)
    (local $center i32) (local $images i32) (local $imageCount i32) (local $header i32)
    (local $compress i32) (local $nx i32) (local $ny i32) (local $nz i32) (local $reachX i32)
    (local $reachY i32) (local $reachZ i32) (local $limit2 v128) (local $limit f64)
    (local $threads i32) (local $threadRecord i32) (local $entries i32) (local $entryCapacity i32)
    (local $indices i32) (local $indexCapacity i32) (local $buffer i32) (local $bufferCapacity i32)
    (local $entryCount i32) (local $indexCount i32) (local $padding v128) (local $bx i32)
    (local $by i32) (local $bz i32) (local $bj i32) (local $iota v128) (local $far v128)
    (local $ownFirst i32) (local $ownEnd i32) (local $borderCount i32) (local $cell i32)
    (local $firstOfCell i32) (local $endOfCell i32) (local $placeOfLine i32) (local $line#2 i32)
    (local $cellZ i32) (local $cellX i32) (local $cellY i32) (local $segment i32)
    (local $candidates i32) (local $k i32) (local $image i32) (local $imageCellX i32)
    (local $imageCellY i32) (local $imageCellZ i32) (local $shiftX v128) (local $shiftY v128)
    (local $shiftZ v128) (local $firstCandidate i32) (local $isOwnImage i32)
    (local $namesOthers i32) (local $slab#2 i32) (local $firstRowOfCells i32) (local $k#2 i32)
    (local $r i32) (local $rowOfCells i32) (local $z#2 i32) (local $y#2 i32) (local $firstX i32)
    (local $lastX i32) (local $placeOfRow i32) (local $slabsAbove i32) (local $boxesAlongB i32)
    (local $largestX i32) (local $cellOfX0 i32) (local $from i32) (local $to i32)
    (local $place#2 i32) (local $k#3 i32) (local $x:k i32) (local $y:k i32) (local $z:k i32)
    (local $bx:place i32) (local $by:place i32) (local $bz:place i32) (local $bj:place i32)
    (local $rowNumbers v128) (local $constant v128) (local $constant#2 v128)
    (local $constant#3 v128) (local $k#4 i32) (local $ownX v128) (local $ownY v128)
    (local $ownZ v128) (local $indicesBefore i32) (local $segment#2 i32) (local $first i32)
    (local $end i32) (local $imageCode i32) (local $firstIndex i32) (local $namesOthers#2 i32)
    (local $out i32) (local $at i32) (local $atEnd i32) (local $dx v128) (local $dy v128)
    (local $dz v128) (local $mask i32) (local $entry i32)
    (local.set $start (i32.load (local.get $args)))
    (local.set $place (i32.load offset=8 (local.get $args)))
    (local.set $line (i32.load offset=16 (local.get $args)))
    (local.set $slab (i32.load offset=24 (local.get $args)))
    (local.set $x (i32.load offset=32 (local.get $args)))
    (local.set $y (i32.load offset=40 (local.get $args)))
    (local.set $z (i32.load offset=48 (local.get $args)))
    (local.set $slots (i32.load offset=56 (local.get $args)))
    (local.set $rows (i32.load offset=64 (local.get $args)))
    (local.set $rowCount (i32.load offset=72 (local.get $args)))
    (local.set $center (i32.load offset=80 (local.get $args)))
    (local.set $images (i32.load offset=88 (local.get $args)))
    (local.set $imageCount (i32.load offset=96 (local.get $args)))
    (local.set $header (i32.load offset=104 (local.get $args)))
    (local.set $compress (i32.load offset=112 (local.get $args)))
    (local.set $nx (i32.load offset=120 (local.get $args)))
    (local.set $ny (i32.load offset=128 (local.get $args)))
    (local.set $nz (i32.load offset=136 (local.get $args)))
    (local.set $reachX (i32.load offset=144 (local.get $args)))
    (local.set $reachY (i32.load offset=152 (local.get $args)))
    (local.set $reachZ (i32.load offset=160 (local.get $args)))
    (local.set $limit (f64.load offset=168 (local.get $args)))
    (local.set $threads (i32.load offset=176 (local.get $args)))
    (local.set $iota (v128.const i32x4 0x00000000 0x00000001 0x00000002 0x00000003))
    (local.set $far (v128.const i32x4 0x4e6e6b28 0x4e6e6b28 0x4e6e6b28 0x4e6e6b28))
    (local.set $constant (i32x4.splat (i32.const 4)))
    (local.set $constant#2 (i32x4.splat (i32.const 8)))
    (local.set $constant#3 (i32x4.splat (i32.const 12)))
    (local.set $limit2 (f32x4.splat (f32.demote_f64 (local.get $limit))))
    (local.set $threadRecord
      (i32.add (local.get $threads) (i32.mul (local.get $thread) (i32.const 128))))
    (local.set $entries (i32.load (local.get $threadRecord)))
    (local.set $entryCapacity (i32.load offset=4 (local.get $threadRecord)))
    (local.set $indices (i32.load offset=12 (local.get $threadRecord)))
    (local.set $indexCapacity (i32.load offset=16 (local.get $threadRecord)))
    (local.set $buffer (i32.load offset=24 (local.get $threadRecord)))
    (local.set $bufferCapacity (i32.load offset=28 (local.get $threadRecord)))
    (local.set $entryCount (i32.load offset=8 (local.get $threadRecord)))
    (local.set $indexCount (i32.load offset=20 (local.get $threadRecord)))
    (local.set $padding (i32x4.splat (i32.load offset=36 (local.get $threadRecord))))
    (local.set $bx (i32.add (local.get $buffer) (local.get $header)))
    (local.set $by (i32.add (local.get $bx) (i32.shl (local.get $bufferCapacity) (i32.const 2))))
    (local.set $bz (i32.add (local.get $by) (i32.shl (local.get $bufferCapacity) (i32.const 2))))
    (local.set $bj (i32.add (local.get $bz) (i32.shl (local.get $bufferCapacity) (i32.const 2))))
    (local.set $ownFirst (i32.load offset=40 (local.get $threadRecord)))
    (local.set $ownEnd (i32.load offset=44 (local.get $threadRecord)))
    (local.set $borderCount (i32.load offset=48 (local.get $threadRecord)))
    (block $b0
      (br_if $b0 (i32.load offset=32 (local.get $threadRecord)))
      (local.set $cell (local.get $begin))
      (block $b1
        (loop $b2
          (br_if $b1 (i32.eqz (i32.lt_s (local.get $cell) (local.get $end#2))))
          (block $b3
            (local.set $firstOfCell
              (i32.load (i32.add (local.get $start) (i32.shl (local.get $cell) (i32.const 2)))))
            (local.set $endOfCell
              (i32.load offset=4
                (i32.add (local.get $start) (i32.shl (local.get $cell) (i32.const 2)))))
            (br_if $b3 (i32.eq (local.get $firstOfCell) (local.get $endOfCell)))
            (local.set $placeOfLine (i32.div_u (local.get $cell) (local.get $nx)))
            (local.set $line#2
              (i32.load
                (i32.add (local.get $line) (i32.shl (local.get $placeOfLine) (i32.const 2)))))
            (local.set $cellZ (i32.div_u (local.get $line#2) (local.get $ny)))
            (local.set $cellX
              (i32.sub (local.get $cell) (i32.mul (local.get $placeOfLine) (local.get $nx))))
            (local.set $cellY
              (i32.sub (local.get $line#2) (i32.mul (local.get $cellZ) (local.get $ny))))
            (local.set $segment (local.get $buffer))
            (local.set $candidates (i32.const 0))
            ;; fill: the stencil of the cell, image by image
            (local.set $k (i32.const 0))
            (block $b4
              (loop $b5
                (br_if $b4 (i32.eqz (i32.lt_s (local.get $k) (local.get $imageCount))))
                (block $b6
                  (local.set $image
                    (i32.add (local.get $images) (i32.shl (local.get $k) (i32.const 5))))
                  (local.set $imageCellX
                    (i32.add (local.get $cellX) (i32.load offset=4 (local.get $image))))
                  (local.set $imageCellY
                    (i32.add (local.get $cellY) (i32.load offset=8 (local.get $image))))
                  (local.set $imageCellZ
                    (i32.add (local.get $cellZ) (i32.load offset=12 (local.get $image))))
                  (br_if $b6
                    (i32.ge_s (i32.sub (local.get $imageCellX) (local.get $reachX)) (local.get $nx)))
                  (br_if $b6
                    (i32.lt_s (i32.add (local.get $imageCellX) (local.get $reachX)) (i32.const 0)))
                  (br_if $b6
                    (i32.ge_s (i32.sub (local.get $imageCellY) (local.get $reachY)) (local.get $ny)))
                  (br_if $b6
                    (i32.lt_s (i32.add (local.get $imageCellY) (local.get $reachY)) (i32.const 0)))
                  (br_if $b6
                    (i32.ge_s (i32.sub (local.get $imageCellZ) (local.get $reachZ)) (local.get $nz)))
                  (br_if $b6
                    (i32.lt_s (i32.add (local.get $imageCellZ) (local.get $reachZ)) (i32.const 0)))
                  (local.set $shiftX (v128.load32_splat offset=16 (local.get $image)))
                  (local.set $shiftY (v128.load32_splat offset=20 (local.get $image)))
                  (local.set $shiftZ (v128.load32_splat offset=24 (local.get $image)))
                  (local.set $firstCandidate (local.get $candidates))
                  (local.set $isOwnImage (i32.eq (i32.load (local.get $image)) (i32.const 13)))
                  (local.set $namesOthers (i32.const 0))
                  (local.set $slab#2
                    (select
                      (i32.const -1)
                      (i32.load
                        (i32.add (local.get $slab) (i32.shl (local.get $cellZ) (i32.const 2))))
                      (i32.lt_s (local.get $imageCellZ) (i32.const 0))))
                  (local.set $firstRowOfCells
                    (select (local.get $center) (i32.const 0) (local.get $isOwnImage)))
                  (local.set $k#2 (local.get $firstRowOfCells))
                  (block $b7
                    (loop $b8
                      (br_if $b7
                        (i32.eqz
                          (i32.lt_s
                            (local.get $k#2)
                            (i32.add (local.get $firstRowOfCells) (local.get $rowCount)))))
                      (local.set $r
                        (select
                          (i32.sub (local.get $k#2) (local.get $rowCount))
                          (local.get $k#2)
                          (i32.ge_s (local.get $k#2) (local.get $rowCount))))
                      (block $b9
                        (local.set $rowOfCells
                          (i32.add (local.get $rows) (i32.shl (local.get $r) (i32.const 4))))
                        (local.set $z#2
                          (i32.add
                            (local.get $imageCellZ)
                            (i32.load offset=4 (local.get $rowOfCells))))
                        (br_if $b9 (i32.ge_u (local.get $z#2) (local.get $nz)))
                        (local.set $y#2
                          (i32.add (local.get $imageCellY) (i32.load (local.get $rowOfCells))))
                        (br_if $b9 (i32.ge_u (local.get $y#2) (local.get $ny)))
                        (local.set $firstX
                          (i32.add
                            (local.get $imageCellX)
                            (i32.load offset=8 (local.get $rowOfCells))))
                        (local.set $lastX
                          (i32.add
                            (local.get $imageCellX)
                            (i32.load offset=12 (local.get $rowOfCells))))
                        (local.set $placeOfRow
                          (i32.load
                            (i32.add
                              (local.get $place)
                              (i32.shl
                                (i32.add
                                  (i32.mul (local.get $z#2) (local.get $ny))
                                  (local.get $y#2))
                                (i32.const 2)))))
                        ;; a half list names what follows: slabs above, then lines by image and place, then cells
                        (local.set $slabsAbove
                          (i32.sub
                            (i32.load
                              (i32.add (local.get $slab) (i32.shl (local.get $z#2) (i32.const 2))))
                            (local.get $slab#2)))
                        (br_if $b9 (i32.lt_s (local.get $slabsAbove) (i32.const 0)))
                        (if
                          (i32.eqz (local.get $slabsAbove))
                          (then
                            (local.set $boxesAlongB (i32.load offset=8 (local.get $image)))
                            (br_if $b9 (i32.lt_s (local.get $boxesAlongB) (i32.const 0)))
                            (if
                              (i32.eqz (local.get $boxesAlongB))
                              (then
                                (br_if $b9 (i32.lt_s (local.get $placeOfRow) (local.get $placeOfLine)))
                                (if
                                  (i32.eq (local.get $placeOfRow) (local.get $placeOfLine))
                                  (then
                                    (br_if $b9
                                      (i32.lt_s (i32.load offset=4 (local.get $image)) (i32.const 0)))
                                    (if
                                      (local.get $isOwnImage)
                                      (then
                                        (local.set $firstX (local.get $imageCellX))))))))))
                        (local.set $firstX
                          (select
                            (local.get $firstX)
                            (i32.const 0)
                            (i32.gt_s (local.get $firstX) (i32.const 0))))
                        (local.set $largestX (i32.sub (local.get $nx) (i32.const 1)))
                        (local.set $lastX
                          (select
                            (local.get $lastX)
                            (local.get $largestX)
                            (i32.lt_s (local.get $lastX) (local.get $largestX))))
                        (br_if $b9 (i32.gt_s (local.get $firstX) (local.get $lastX)))
                        (local.set $cellOfX0 (i32.mul (local.get $placeOfRow) (local.get $nx)))
                        (local.set $from
                          (i32.load
                            (i32.add
                              (local.get $start)
                              (i32.shl
                                (i32.add (local.get $cellOfX0) (local.get $firstX))
                                (i32.const 2)))))
                        (local.set $to
                          (i32.load offset=4
                            (i32.add
                              (local.get $start)
                              (i32.shl
                                (i32.add (local.get $cellOfX0) (local.get $lastX))
                                (i32.const 2)))))
                        (if
                          (i32.gt_s
                            (i32.add
                              (i32.add
                                (local.get $candidates)
                                (i32.sub (local.get $to) (local.get $from)))
                              (i32.const 24))
                            (local.get $bufferCapacity))
                          (then
                            (i32.store offset=32 (local.get $threadRecord) (i32.const 2))
                            (br $b0)))
                        (local.set $namesOthers
                          (i32.or
                            (local.get $namesOthers)
                            (i32.or
                              (i32.lt_s (local.get $from) (local.get $ownFirst))
                              (i32.gt_s (local.get $to) (local.get $ownEnd)))))
                        (local.set $place#2 (local.get $candidates))
                        ;; copy sixteen particles at a time
                        (local.set $k#3 (local.get $from))
                        (block $b10
                          (loop $b11
                            (br_if $b10 (i32.eqz (i32.lt_s (local.get $k#3) (local.get $to))))
                            (local.set $x:k
                              (i32.add (local.get $x) (i32.shl (local.get $k#3) (i32.const 2))))
                            (local.set $y:k
                              (i32.add (local.get $y) (i32.shl (local.get $k#3) (i32.const 2))))
                            (local.set $z:k
                              (i32.add (local.get $z) (i32.shl (local.get $k#3) (i32.const 2))))
                            (local.set $bx:place
                              (i32.add (local.get $bx) (i32.shl (local.get $place#2) (i32.const 2))))
                            (local.set $by:place
                              (i32.add (local.get $by) (i32.shl (local.get $place#2) (i32.const 2))))
                            (local.set $bz:place
                              (i32.add (local.get $bz) (i32.shl (local.get $place#2) (i32.const 2))))
                            (local.set $bj:place
                              (i32.add (local.get $bj) (i32.shl (local.get $place#2) (i32.const 2))))
                            (local.set $rowNumbers
                              (i32x4.add (i32x4.splat (local.get $k#3)) (local.get $iota)))
                            (v128.store align=4
                              (local.get $bx:place)
                              (f32x4.sub (v128.load align=4 (local.get $x:k)) (local.get $shiftX)))
                            (v128.store align=4
                              (local.get $by:place)
                              (f32x4.sub (v128.load align=4 (local.get $y:k)) (local.get $shiftY)))
                            (v128.store align=4
                              (local.get $bz:place)
                              (f32x4.sub (v128.load align=4 (local.get $z:k)) (local.get $shiftZ)))
                            (v128.store align=4 (local.get $bj:place) (local.get $rowNumbers))
                            (v128.store offset=16 align=4
                              (local.get $bx:place)
                              (f32x4.sub
                                (v128.load offset=16 align=4 (local.get $x:k))
                                (local.get $shiftX)))
                            (v128.store offset=16 align=4
                              (local.get $by:place)
                              (f32x4.sub
                                (v128.load offset=16 align=4 (local.get $y:k))
                                (local.get $shiftY)))
                            (v128.store offset=16 align=4
                              (local.get $bz:place)
                              (f32x4.sub
                                (v128.load offset=16 align=4 (local.get $z:k))
                                (local.get $shiftZ)))
                            (v128.store offset=16 align=4
                              (local.get $bj:place)
                              (i32x4.add (local.get $rowNumbers) (local.get $constant)))
                            (v128.store offset=32 align=4
                              (local.get $bx:place)
                              (f32x4.sub
                                (v128.load offset=32 align=4 (local.get $x:k))
                                (local.get $shiftX)))
                            (v128.store offset=32 align=4
                              (local.get $by:place)
                              (f32x4.sub
                                (v128.load offset=32 align=4 (local.get $y:k))
                                (local.get $shiftY)))
                            (v128.store offset=32 align=4
                              (local.get $bz:place)
                              (f32x4.sub
                                (v128.load offset=32 align=4 (local.get $z:k))
                                (local.get $shiftZ)))
                            (v128.store offset=32 align=4
                              (local.get $bj:place)
                              (i32x4.add (local.get $rowNumbers) (local.get $constant#2)))
                            (v128.store offset=48 align=4
                              (local.get $bx:place)
                              (f32x4.sub
                                (v128.load offset=48 align=4 (local.get $x:k))
                                (local.get $shiftX)))
                            (v128.store offset=48 align=4
                              (local.get $by:place)
                              (f32x4.sub
                                (v128.load offset=48 align=4 (local.get $y:k))
                                (local.get $shiftY)))
                            (v128.store offset=48 align=4
                              (local.get $bz:place)
                              (f32x4.sub
                                (v128.load offset=48 align=4 (local.get $z:k))
                                (local.get $shiftZ)))
                            (v128.store offset=48 align=4
                              (local.get $bj:place)
                              (i32x4.add (local.get $rowNumbers) (local.get $constant#3)))
                            (local.set $place#2 (i32.add (local.get $place#2) (i32.const 16)))
                            (local.set $k#3 (i32.add (local.get $k#3) (i32.const 16)))
                            (br $b11)))
                        (local.set $candidates
                          (i32.add
                            (local.get $candidates)
                            (i32.sub (local.get $to) (local.get $from)))))
                      (local.set $k#2 (i32.add (local.get $k#2) (i32.const 1)))
                      (br $b8)))
                  (if
                    (i32.gt_s (local.get $candidates) (local.get $firstCandidate))
                    (then
                      (v128.store align=4
                        (i32.add (local.get $bx) (i32.shl (local.get $candidates) (i32.const 2)))
                        (local.get $far))
                      (i32.store (local.get $segment) (local.get $firstCandidate))
                      (i32.store offset=4 (local.get $segment) (local.get $candidates))
                      (i32.store offset=8 (local.get $segment) (i32.load (local.get $image)))
                      (i32.store offset=12 (local.get $segment) (local.get $namesOthers))
                      (local.set $segment (i32.add (local.get $segment) (i32.const 16)))
                      (local.set $candidates (i32.add (local.get $candidates) (i32.const 4))))))
                (local.set $k (i32.add (local.get $k) (i32.const 1)))
                (br $b5)))
            ;; test: every particle of the cell against the buffer
            (local.set $k#4 (local.get $firstOfCell))
            (block $b12
              (loop $b13
                (br_if $b12 (i32.eqz (i32.lt_s (local.get $k#4) (local.get $endOfCell))))
                (local.set $ownX
                  (v128.load32_splat
                    (i32.add (local.get $x) (i32.shl (local.get $k#4) (i32.const 2)))))
                (local.set $ownY
                  (v128.load32_splat
                    (i32.add (local.get $y) (i32.shl (local.get $k#4) (i32.const 2)))))
                (local.set $ownZ
                  (v128.load32_splat
                    (i32.add (local.get $z) (i32.shl (local.get $k#4) (i32.const 2)))))
                (local.set $indicesBefore (local.get $indexCount))
                (local.set $segment#2 (local.get $buffer))
                (block $b14
                  (loop $b15
                    (br_if $b14 (i32.eqz (i32.lt_s (local.get $segment#2) (local.get $segment))))
                    (local.set $first (i32.load (local.get $segment#2)))
                    (local.set $end (i32.load offset=4 (local.get $segment#2)))
                    (local.set $imageCode (i32.load offset=8 (local.get $segment#2)))
                    (local.set $firstIndex (local.get $indexCount))
                    (local.set $namesOthers#2 (i32.load offset=12 (local.get $segment#2)))
                    (if
                      (i32.eq (local.get $imageCode) (i32.const 13))
                      (then
                        (local.set $first
                          (i32.add
                            (local.get $first)
                            (i32.add
                              (i32.sub (local.get $k#4) (local.get $firstOfCell))
                              (i32.const 1))))))
                    (if
                      (i32.or
                        (i32.gt_s
                          (i32.add
                            (i32.add (local.get $firstIndex) (i32.const 12))
                            (i32.sub (local.get $end) (local.get $first)))
                          (local.get $indexCapacity))
                        (i32.ge_s
                          (i32.add (local.get $entryCount) (local.get $borderCount))
                          (local.get $entryCapacity)))
                      (then
                        (i32.store offset=32 (local.get $threadRecord) (i32.const 1))
                        (br $b0)))
                    (local.set $out
                      (i32.add (local.get $indices) (i32.shl (local.get $firstIndex) (i32.const 2))))
                    (local.set $at (i32.shl (local.get $first) (i32.const 2)))
                    (local.set $atEnd (i32.shl (local.get $end) (i32.const 2)))
                    ;; four distances give a mask; rows that pass are stored side by side
                    (block $b16
                      (loop $b17
                        (br_if $b16 (i32.eqz (i32.lt_s (local.get $at) (local.get $atEnd))))
                        (local.set $dx
                          (f32x4.sub
                            (v128.load align=4 (i32.add (local.get $bx) (local.get $at)))
                            (local.get $ownX)))
                        (local.set $dy
                          (f32x4.sub
                            (v128.load align=4 (i32.add (local.get $by) (local.get $at)))
                            (local.get $ownY)))
                        (local.set $dz
                          (f32x4.sub
                            (v128.load align=4 (i32.add (local.get $bz) (local.get $at)))
                            (local.get $ownZ)))
                        (local.set $mask
                          (i32x4.bitmask
                            (f32x4.lt
                              (f32x4.add
                                (f32x4.add
                                  (f32x4.mul (local.get $dx) (local.get $dx))
                                  (f32x4.mul (local.get $dy) (local.get $dy)))
                                (f32x4.mul (local.get $dz) (local.get $dz)))
                              (local.get $limit2))))
                        (v128.store align=4
                          (local.get $out)
                          (i8x16.swizzle
                            (v128.load align=4 (i32.add (local.get $bj) (local.get $at)))
                            (v128.load align=4
                              (i32.add
                                (local.get $compress)
                                (i32.shl (local.get $mask) (i32.const 4))))))
                        (local.set $out
                          (i32.add
                            (local.get $out)
                            (i32.shl (i32.popcnt (local.get $mask)) (i32.const 2))))
                        (local.set $at (i32.add (local.get $at) (i32.const 16)))
                        (br $b17)))
                    (if
                      (i32.gt_s
                        (local.get $out)
                        (i32.add
                          (local.get $indices)
                          (i32.shl (local.get $firstIndex) (i32.const 2))))
                      (then
                        ;; store: pad to whole vectors, append the entry {i, image, begin, end}
                        (v128.store align=4 (local.get $out) (local.get $padding))
                        (local.set $indexCount
                          (i32.and
                            (i32.add
                              (i32.shr_u
                                (i32.sub (local.get $out) (local.get $indices))
                                (i32.const 2))
                              (i32.const 3))
                            (i32.const -4)))
                        (local.set $entry
                          (i32.add
                            (local.get $entries)
                            (i32.shl (local.get $entryCount) (i32.const 4))))
                        (if
                          (local.get $namesOthers#2)
                          (then
                            (local.set $borderCount (i32.add (local.get $borderCount) (i32.const 1)))
                            (local.set $entry
                              (i32.add
                                (local.get $entries)
                                (i32.shl
                                  (i32.sub (local.get $entryCapacity) (local.get $borderCount))
                                  (i32.const 4)))))
                          (else
                            (local.set $entryCount (i32.add (local.get $entryCount) (i32.const 1)))))
                        (i32.store (local.get $entry) (local.get $k#4))
                        (i32.store offset=4 (local.get $entry) (local.get $imageCode))
                        (i32.store offset=8 (local.get $entry) (local.get $firstIndex))
                        (i32.store offset=12 (local.get $entry) (local.get $indexCount))))
                    (local.set $segment#2 (i32.add (local.get $segment#2) (i32.const 16)))
                    (br $b15)))
                (i32.store
                  (i32.add (local.get $slots) (i32.shl (local.get $k#4) (i32.const 2)))
                  (i32.sub (local.get $indexCount) (local.get $indicesBefore)))
                (local.set $k#4 (i32.add (local.get $k#4) (i32.const 1)))
                (br $b13))))
          (local.set $cell (i32.add (local.get $cell) (i32.const 1)))
          (br $b2))))
    (i32.store offset=8 (local.get $threadRecord) (local.get $entryCount))
    (i32.store offset=20 (local.get $threadRecord) (local.get $indexCount))
    (i32.store offset=48 (local.get $threadRecord) (local.get $borderCount))))
