/** What `semantic.bench.mjs` needs of the sources: the passages that are ranked, and the stems of words. */
export { cutText } from '../../comp/4-verb-find/src/semantic/cut-text.js'
export { stem } from '../../comp/4-verb-find/src/semantic/stem.js'
