/** What happened between messages stands below what the user wrote. */
export function withNotes(message: string, notes: readonly string[]): string {
  return notes.length === 0 ? message : `${message}\n\n[hermes: ${notes.join(' ')}]`
}

export function withoutNotes(content: string): string {
  return content.replace(/\n\n\[hermes: [^]*\]$/, '')
}

/** @returns the notes of a message that has some */
export function notesOf(content: string): string | undefined {
  return /\n\n\[hermes: ([^]*)\]$/.exec(content)?.[1]
}
