/** The start of a text, with `…` where it was longer than `length` UTF-16 units; never half of a surrogate pair. */
export function clip(text: string, length: number): string {
  if (text.length <= length) return text
  const cutsPair = (text.charCodeAt(length - 1) & 0xfc00) === 0xd800
  return `${text.slice(0, cutsPair ? length - 1 : length)}…`
}
