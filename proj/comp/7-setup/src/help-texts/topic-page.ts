import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { HermesError, isNodeError } from '../../../0-contracts/src/index.js'
import { wrapWords } from '../../../0-text/src/index.js'
import { renderMarkdown } from './markdown-text.js'
import { TOPICS, type Topic } from './topics.js'

const LINK = /\]\((?:docs\/)?([\w-]+\.md)(?:#[^)]*)?\)/g

/**
 * The whole page of a topic, for a screen of `width` columns, with the topics it links to below.
 * @throws HermesError `NOT_INSTALLED` where the package has lost its pages
 */
export function topicPage(topic: Topic, packageFile: URL, width: number): string {
  const markdown = readPage(new URL(topic.page, packageFile))
  const linked = new Set([...markdown.matchAll(LINK)].map(([, file = '']) => `docs/${file}`))
  const related = TOPICS.filter(({ name, page }) => name !== topic.name && linked.has(page)).map(({ name }) => name)
  const footer = related.length === 0 ? '' : wrapWords(`See also (hermes help TOPIC): ${related.join(', ')}`, 0, width)
  return `${renderMarkdown(markdown, width)}${footer && `\n${footer}\n`}`
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
