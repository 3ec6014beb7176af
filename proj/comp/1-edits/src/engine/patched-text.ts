import { lowerBound } from '../../../0-text/src/index.js'
import { textFinder } from './text-search.js'

/** Most replacements kept apart from the text; beyond that, checking them costs more than applying them. */
const MOST_PATCHES = 256
/** Longest searched text, in UTF-16 units. */
const LONGEST = 1024

interface Patch {
  /** Offsets in the base; `text` replaces what lies between them. */
  start: number
  end: number
  text: string
}

/** Patches so close together that one occurrence could touch two of them, with the text around them. */
interface Cluster {
  first: number
  count: number
  start: number
  end: number
  text: string
}

/** A text that takes many replacements one after another without being copied for each. */
export class PatchedText {
  /** Sorted by offset, without overlap. */
  #patches: Patch[] = []

  constructor(private base: string) {}

  toString(): string {
    if (this.#patches.length > 0) {
      this.base = this.#between(0, this.base.length, this.#patches)
      this.#patches = []
    }
    return this.base
  }

  /**
   * Replaces the only occurrence; returns false, and changes nothing, where there is none or more than one (overlaps
   * count).
   */
  replaceOnly(oldText: string, newText: string): boolean {
    if (oldText === '' || oldText.length > LONGEST) return false
    if (this.#patches.length >= MOST_PATCHES) this.toString()
    const plain = this.#plainPlaces(oldText)
    let [times, place] = [plain.length, -1]
    let cluster: Cluster | undefined
    for (const each of times > 1 ? [] : this.#clusters(oldText.length)) {
      const indexFrom = textFinder(each.text, oldText)
      for (let at = indexFrom(0); at !== -1 && times <= 1; at = indexFrom(at + 1)) {
        [cluster, place] = [each, at]
        times++
      }
    }
    if (times !== 1) return false
    if (cluster) {
      const { first, count, start, end, text } = cluster
      const changed = text.slice(0, place) + newText + text.slice(place + oldText.length)
      this.#patches.splice(first, count, { start, end, text: changed })
    } else {
      const start = plain[0] ?? 0
      this.#patches.splice(this.#patchesBefore(start), 0, { start, end: start + oldText.length, text: newText })
    }
    return true
  }

  /** Offsets in the base of occurrences that touch no patch; at most two. */
  #plainPlaces(wanted: string): number[] {
    const indexFrom = textFinder(this.base, wanted)
    const places: number[] = []
    for (let at = indexFrom(0); at !== -1 && places.length < 2; at = indexFrom(at + 1)) {
      const next = this.#patchesBefore(at)
      const touches = (patch: Patch | undefined): boolean => (
        patch !== undefined && at < patch.end && at + wanted.length > patch.start
      )
      if (!touches(this.#patches[next - 1]) && !touches(this.#patches[next])) places.push(at)
    }
    return places
  }

  /** Number of patches that begin before an offset of the base. */
  #patchesBefore(place: number): number {
    return lowerBound(0, this.#patches.length, (index) => this.#patches[index]!.start < place)
  }

  /**
   * Clusters of patches, each with as much of the base around it as an occurrence of this length that touches a patch
   * can reach.
   */
  *#clusters(length: number): Generator<Cluster> {
    for (let first = 0; first < this.#patches.length;) {
      let last = first
      while ((this.#patches[last + 1]?.start ?? Infinity) - this.#patches[last]!.end < length) last++
      const patches = this.#patches.slice(first, last + 1)
      const start = Math.max(0, patches[0]!.start - length + 1)
      const end = Math.min(this.base.length, patches.at(-1)!.end + length - 1)
      yield { first, count: patches.length, start, end, text: this.#between(start, end, patches) }
      first = last + 1
    }
  }

  #between(start: number, end: number, patches: readonly Patch[]): string {
    const pieces: string[] = []
    let from = start
    for (const patch of patches) {
      pieces.push(this.base.slice(from, patch.start), patch.text)
      from = patch.end
    }
    pieces.push(this.base.slice(from, end))
    return pieces.join('')
  }
}
