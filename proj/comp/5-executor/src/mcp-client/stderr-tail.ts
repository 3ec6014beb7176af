import type { Stream } from 'node:stream'

const MOST = 4096

/** The end of what a server prints besides the protocol: it says why it failed. */
export class StderrTail {
  #tail = ''

  read(stream: Stream | null): void {
    stream?.on('data', (chunk: Buffer) => {
      this.#tail = (this.#tail + chunk.toString('utf8')).slice(-MOST)
    })
  }

  text(): string {
    return this.#tail.trim()
  }
}
