import { pageHtml, readPageAssets } from '../../2-page/src/index.js'
import type { PlaygroundExample } from './playground-examples.js'

/** What the page is given. */
export interface PlaygroundData {
  verbs: readonly string[]
  /** The first is shown at once. */
  examples: readonly PlaygroundExample[]
}

/** The page in one file, which asks nothing of any host. @throws HermesError `NOT_INSTALLED` before a build */
export function playgroundHtml(data: PlaygroundData): string {
  return pageHtml({
    title: 'hermes playground', ...readPageAssets('playground'), data: { playground: data },
    withoutScripts: '<p>What would hermes do with this answer? The playground needs scripts to say it.</p>',
    works: true,
  })
}
