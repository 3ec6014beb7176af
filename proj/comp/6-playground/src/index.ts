export { analyse, type Analysis, type Reading } from './analyse.js'
export { EXAMPLES, type PlaygroundExample } from './playground-examples.js'
export { playgroundHtml, type PlaygroundData } from './playground-html.js'
export { fragmentOf, readFragment } from './share-link.js'
