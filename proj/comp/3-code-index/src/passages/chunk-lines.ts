/** The lines of a text without their endings; a byte order mark is no part of the first. A lone CR ends no line. */
export function linesOf(text: string): string[] {
  return text.replace(/^\ufeff/, '').split(/\r?\n/)
}
