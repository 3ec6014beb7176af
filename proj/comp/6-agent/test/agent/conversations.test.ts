import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readGoldens } from '../../../../test/support/goldens.js'
import { eventLines, play, readConversation } from './support/play-case.js'
import { useModelServer } from './support/use-model-server.js'

const folder = new URL('../../test-data/agent/', import.meta.url)
const server = useModelServer()

for (const file of readdirSync(folder).filter((name) => name.endsWith('.cases.md'))) {
  describe.concurrent(file, () => {
    for (const golden of readGoldens(new URL(file, folder))) {
      const conversation = readConversation(golden)
      it.for(conversation.styles)(`${golden.group}: ${golden.name} (%s)`, async (style) => {
        const { tree, end, events, requests } = await play(
          conversation, server, `${file}/${golden.name}/${style}`, style,
        )
        expect(end).toBe(conversation.end)
        if (conversation.after) expect(tree).toEqual(conversation.after)
        if (conversation.events) expect(eventLines(events)).toEqual(conversation.events)
        for (const { request, texts } of conversation.sees) {
          const sent = JSON.stringify(requests[request - 1]?.messages.slice(1).map((message) => Object.values(message)))
          for (const text of texts) expect(sent).toContain(JSON.stringify(text).slice(1, -1))
        }
      })
    }
  })
}
