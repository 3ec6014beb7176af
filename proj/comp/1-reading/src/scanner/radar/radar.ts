import { OPENERS, type Opener } from './openers.js'
export interface Sighting { at: number; lineStart: number; row: Opener }
export class Radar {
  sightings(text: string, from: number, to: number): Sighting[] {
    const found: Sighting[] = []
    for (const row of OPENERS) {
      for (let at = text.indexOf(row.find, from); at >= 0 && at < to; at = text.indexOf(row.find, at + 1)) {
        const lineStart = text.lastIndexOf('\n', at) + 1
        const newline = text.indexOf('\n', at)
        if (row.opens(text.slice(lineStart, newline < 0 ? to : newline), at - lineStart)) found.push({ at, lineStart, row })
      }
    }
    return found.sort((a, b) => a.at - b.at).filter((one, i, all) => one.lineStart !== all[i - 1]?.lineStart)
  }
}
