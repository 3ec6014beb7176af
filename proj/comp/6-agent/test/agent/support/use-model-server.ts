import { afterAll, beforeAll } from 'vitest'
import { startModelServer, type ModelServer } from './model-server.js'

/** One server for the tests of a file. */
export function useModelServer(): ModelServer {
  let server: ModelServer | undefined
  beforeAll(async () => {
    server = await startModelServer()
  })
  afterAll(() => server?.close())
  const running = (): ModelServer => {
    if (!server) throw new Error('The server runs while tests do')
    return server
  }
  return {
    get url() {
      return running().url
    },
    play: (...args) => running().play(...args),
    improvise: (...args) => running().improvise(...args),
    requests: (...args) => running().requests(...args),
    say: (...args) => running().say(...args),
    get looks() {
      return running().looks
    },
    headers: (...args) => running().headers(...args),
    close: () => running().close(),
  }
}
