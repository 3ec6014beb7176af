/** Directories or files in the order they were moved, all as absolute paths or all by the names git has for them. */
export type Moves = readonly { from: string; to: string }[]

/** The name that something has after the moves. */
export function movedTo(name: string, moves: Moves): string {
  return moves.reduce((now, { from, to }) => replaced(now, from, to), name)
}

/** The name that something had before the moves. */
export function movedFrom(name: string, moves: Moves): string {
  return moves.reduceRight((now, { from, to }) => replaced(now, to, from), name)
}

/** The moves by the names git has for their paths, without those into or out of the work tree. */
export function movesIn(moves: Moves, nameOf: (path: string) => string | undefined): Moves {
  return moves.flatMap(({ from, to }) => {
    const [old, next] = [nameOf(from), nameOf(to)]
    return old === undefined || next === undefined ? [] : [{ from: old, to: next }]
  })
}

function replaced(name: string, from: string, to: string): string {
  return name === from || name.startsWith(`${from}/`) ? to + name.slice(from.length) : name
}
