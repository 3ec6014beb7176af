import type { Problem } from '../../../2-wire/src/index.js'
import { clip } from '../../../0-text/src/index.js'

/** So many, and the extension is stopped: it floods. */
export const MOST_PROBLEMS = 1000

/** So many bytes of standard output that are no message, and it is stopped too: who prints there now and then works. */
export const MOST_LOST_BYTES = 16 * 2 ** 20

type Kind = Problem['kind'] | 'late'

const ABOUT: Readonly<Record<Kind, string>> = {
  late: 'changed the answer when its command had ended; that was refused, and what it had left before was used',
  unreadable: 'wrote something to its standard output that is no message (standard output belongs to the protocol: '
    + 'print to standard error)',
  'too-large': 'sent a message that is too large, which was not read (send what is large in pieces, or by a file)',
  unhandled: 'sent a message that hermes does not know',
  'unexpected-answer': 'answered a request that was not open, or answered twice',
  broken: 'broke the connection',
}

/** What an extension did wrong with the connection, so that the user is told of each kind once. */
export class Problems {
  readonly #firsts = new Map<Kind, { message: string; count: number }>()
  #count = 0

  /** @returns how many there are by now */
  add({ kind, message }: { kind: Kind; message: string }): number {
    const first = this.#firsts.get(kind)
    if (first) first.count++
    else this.#firsts.set(kind, { message, count: 1 })
    return ++this.#count
  }

  /** One line each, without the name. */
  lines(): string[] {
    return [...this.#firsts].map(([kind, { message, count }]) => (
      `${ABOUT[kind]}${count > 1 ? `, ${count} times` : ''}: ${clip(message.replaceAll(/\s+/g, ' '), 200)}`
    ))
  }
}
