/** Pictures of text have few colours: as a palette they take a third. */
import { deflateSync, crc32 } from 'node:zlib'
import { PNG } from 'pngjs'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const PALETTE = 3
const [MOST, EXACT] = [256, 64]

/** The same picture in at most 256 of its colours; what is transparent becomes white. @param {Buffer} png */
export function withPalette(png) {
  const { width, height, data } = PNG.sync.read(png)
  const counts = new Map()
  const pixels = new Uint32Array(width * height)
  for (let at = 0; at < pixels.length; at++) {
    const [red, green, blue, alpha] = data.subarray(at * 4, at * 4 + 4)
    const pixel = alpha === 0 ? 0xffffff : (red << 16) | (green << 8) | blue
    pixels[at] = pixel
    counts.set(pixel, (counts.get(pixel) ?? 0) + 1)
  }
  const palette = mostUsed(counts)
  const indexOf = new Map([...counts.keys()].map((pixel) => [pixel, nearest(palette, pixel)]))
  const rows = Buffer.alloc((width + 1) * height)
  for (let at = 0; at < pixels.length; at++) rows[at + Math.floor(at / width) + 1] = indexOf.get(pixels[at])

  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, PALETTE], 8)
  return Buffer.concat([
    SIGNATURE, chunk('IHDR', header), chunk('PLTE', Buffer.from(palette.flatMap(parts))),
    chunk('IDAT', deflateSync(rows, { level: 9 })), chunk('IEND', Buffer.alloc(0)),
  ])
}

/**
 * The most frequent as they are; of the others one stands for all that are nearly the same,
 * so that rare hues have a place too.
 */
function mostUsed(counts) {
  const byCount = [...counts].sort(([, one], [, other]) => other - one)
  const groups = new Map()
  for (const [pixel, count] of byCount.slice(EXACT)) {
    const group = groups.get(pixel & 0xf0f0f0) ?? { pixel, count: 0 }
    groups.set(pixel & 0xf0f0f0, { ...group, count: group.count + count })
  }
  const rest = [...groups.values()].sort((one, other) => other.count - one.count)
  return [...byCount.slice(0, EXACT), ...rest.map(({ pixel }) => [pixel])].slice(0, MOST).map(([pixel]) => pixel)
}

const parts = (pixel) => [pixel >> 16, (pixel >> 8) & 255, pixel & 255]

function nearest(palette, pixel) {
  const wanted = parts(pixel)
  let [best, least] = [0, Infinity]
  for (const [index, candidate] of palette.entries()) {
    const distance = parts(candidate).reduce((sum, part, which) => sum + (part - wanted[which]) ** 2, 0)
    if (distance < least) [best, least] = [index, distance]
  }
  return best
}

function chunk(type, content) {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}
