import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { HermesError, isNodeError } from '../../../0-contracts/src/index.js'
import { wrapWords } from '../../../0-text/src/index.js'
import { linkless, renderMarkdown } from './markdown-text.js'
import { TOPICS, type Topic } from './topics.js'

const LINK = /\]\((?:docs\/)?([\w-]+\.md)(?:#[^)]*)?\)/g

/** A page of `docs/` to show. */
export interface TopicPage {
  /** As Markdown without link targets, since files of the package cannot be followed. */
  markdown: string
  /** As plain text. */
  text(width: number): string
  /** A sentence with the topics that it links to; empty if there are none. */
  seeAlso: string
}

/** @throws HermesError `NOT_INSTALLED` where the package lacks its pages */
export function topicPage(topic: Topic, packageFile: URL): TopicPage {
  const source = readPage(new URL(topic.page, packageFile))
  const linked = new Set([...source.matchAll(LINK)].map(([, file = '']) => `docs/${file}`))
  const related = TOPICS.filter(({ name, page }) => name !== topic.name && linked.has(page)).map(({ name }) => name)
  const seeAlso = related.length === 0 ? '' : `See also (hermes help TOPIC): ${related.join(', ')}`
  return {
    markdown: linkless(source),
    text: (width) => `${renderMarkdown(source, width)}${seeAlso && `\n${wrapWords(seeAlso, 0, width)}\n`}`,
    seeAlso,
  }
}

function readPage(file: URL): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (!isNodeError(error) || error.code !== 'ENOENT') throw error
    throw new HermesError('NOT_INSTALLED', `The page is not there: ${fileURLToPath(file)}`, {
      hint: 'Install hermes again: its pages are in docs/ of the package.',
    })
  }
}
