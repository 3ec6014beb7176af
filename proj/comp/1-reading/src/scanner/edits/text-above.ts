/** How far above an edit block its path may stand, in UTF-16 units. */
export const REACH = 2000

/**
 * The end of the text that was read before the region: what stands above a block matters to edit formats, and may
 * have come in an earlier piece.
 */
export class TextAbove {
  #text = ''
  #end = 0

  /** The region `text`, which ends at `end` (absolute), is about to be left. */
  leave(text: string, end: number): void {
    const before = text.length > REACH ? '' : this.slice(0, end - text.length)
    this.#text = (before + text).slice(-REACH - 1)
    this.#end = end
  }

  /** Text between two absolute offsets, as far as it is kept. */
  slice(from: number, to: number): string {
    const start = this.#end - this.#text.length
    return to <= start ? '' : this.#text.slice(Math.max(0, from - start), to - start)
  }
}
