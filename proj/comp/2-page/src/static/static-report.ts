import { fileGroups, type FileGroup } from '../file-groups.js'
import { momentOf, rolledBackWords, timeOf } from '../page-words.js'
import type { ProsePart } from '../prose/answer-prose.js'
import { drawProse, type ProseNode } from '../prose/prose-node.js'
import type { PageItem, PageModel, PageSummary } from '../run-page-model.js'
import { inTextOrder } from '../text-order.js'
import { verdictLine } from '../verdict-line.js'
import { element, joined, type Markup } from './markup.js'
import { cardLink, staticCard } from './static-card.js'
import { leftOut, lineCounts, Room, staticChange, staticText } from './static-lines.js'

/** The report as it is read where scripts do not run: all of it, with an index by file and one of all blocks. */
export function staticReport({ summary, items, answer, prose = [], rewrites = [] }: PageModel): string {
  const room = new Room()
  const lines = answer?.split(/\r?\n/)
  const groups = fileGroups(items)
  return element(
    'div', { class: 'static' },
    element('header', { class: 'top' }, summaryPart(summary)),
    element(
      'main', {},
      groups.length === 0 ? undefined : index('By file', groups.length, element('ul', {}, ...groups.map(fileEntry))),
      items.length < 2 ? undefined : index(
        'By block', items.length, element('ol', {}, ...items.map((item) => element('li', {}, cardLink(item)))),
      ),
      ...rewrites.map(({ title, change }) => element(
        'section', { class: 'card' }, element('p', {}, 'The answer is ', title), staticChange(change, room),
      )),
      element(
        'section', { 'aria-labelledby': 'cards-title' }, element('h2', { id: 'cards-title' }, 'Blocks'),
        items.length === 0 ? element('p', {}, 'There is none.') : undefined,
        ...items.map((item) => staticCard(
          item, item.hook ? undefined : lines?.slice(item.startLine - 1, item.endLine).join('\n'), room,
        )),
      ),
      answer === undefined ? undefined : element(
        'section', { class: 'card', 'aria-labelledby': 'answer-title' },
        element('h2', { id: 'answer-title' }, 'The answer'),
        ...(prose.length === 0 ? [] : staticAnswer(lines ?? [], items, prose, room)),
        staticText('As the model wrote it', answer, room, false),
      ),
    ),
  ).html
}

/** Longer ones are closed at first. */
const MOST_LISTED = 40

function index(title: string, count: number, list: Markup): Markup {
  return element(
    'nav', { class: 'index', 'aria-label': title },
    element(
      'details', { open: count <= MOST_LISTED }, element('summary', {}, element('h2', {}, title), ` ${count}`), list,
    ),
  )
}

function fileEntry({ path, items, added, removed }: FileGroup): Markup {
  return element(
    'li', {}, element('span', { class: 'path' }, path), ' ', lineCounts(added, removed),
    element('ul', {}, ...items.map((item) => element('li', {}, cardLink(item)))),
  )
}

function summaryPart(summary: PageSummary): Markup {
  const { verdict, durationMs, endedAt, root, gitCommit, rolledBack, warnings, fatalError, dryRun } = summary
  return element(
    'section', { class: `summary verdict-${verdict}`, 'aria-label': 'Summary' },
    element('h1', {}, verdictLine(summary)),
    element(
      'p', { class: 'facts' },
      dryRun ? element('span', { class: 'badge' }, 'Dry run: nothing was changed') : undefined,
      element('span', {}, `took ${timeOf(durationMs)}`), element('time', { datetime: endedAt }, momentOf(endedAt)),
      element('span', { class: 'path' }, root),
      gitCommit === undefined ? undefined
        : joined([element('span', {}, 'commit ', element('code', {}, gitCommit.slice(0, 10)))]),
    ),
    fatalError === undefined ? undefined : element('p', { class: 'error' }, fatalError),
    rolledBack === undefined ? undefined : element('p', { class: 'hint' }, rolledBackWords(rolledBack)),
    ...warnings.map((warning) => element('p', { class: 'hint' }, warning)),
  )
}

/** The answer as it reads: its prose, and in the place of each block a link that leads to it. */
function staticAnswer(
  lines: readonly string[], items: readonly PageItem[], parts: readonly ProsePart[], room: Room,
): Markup[] {
  const links = inTextOrder(items.filter(({ hook }) => !hook)).map((item) => ({
    startLine: item.startLine, drawn: () => element('p', { class: 'in-place' }, cardLink(item)),
  }))
  const prose = parts.map(({ startLine, endLine, nodes }) => ({
    startLine, drawn: () => {
      const written = lines.slice(startLine - 1, endLine)
      return room.takes(written) ? staticProse(nodes) : leftOut(written.length)
    },
  }))
  return [...prose, ...links].sort((a, b) => a.startLine - b.startLine).map(({ drawn }) => drawn())
}

function staticProse(nodes: readonly ProseNode[]): Markup {
  return element('div', { class: 'markdown' }, ...nodes.map((node) => drawProse(node, {
    text: (text) => joined([text]), element: (tag, attributes, children) => element(tag, attributes, ...children),
  })))
}
