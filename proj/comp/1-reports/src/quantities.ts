/** `1 block`, `2 blocks`, `1,200 matches`. */
export function plural(count: number, singular: string, many = `${singular}s`): string {
  return `${String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')} ${count === 1 ? singular : many}`
}

/** `13 B`, `1.2 KB`, `3.4 MB`, `16.8 GB`. */
export function byteSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(1)} KB`
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`
}

/** `0.12 s`. */
export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`
}

/** `0.1 s`, `12 s`, `3 min 5 s`: a time while it passes. */
export function duration(milliseconds: number): string {
  const all = milliseconds / 1000
  if (all < 10) return `${all.toFixed(1)} s`
  if (all < 60) return `${Math.round(all)} s`
  return `${Math.floor(all / 60)} min ${Math.round(all) % 60} s`
}

/** `line 4`, `lines 4-9`. */
export function lineRange(first: number, last: number): string {
  return first === last ? `line ${first}` : `lines ${first}-${last}`
}
