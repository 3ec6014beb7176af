/** What `semantic.bench.mjs` needs of the sources: the passages that are ranked, and the stems of words. */
export { cutText } from '../../comp/3-code-index/src/passages/cut-text.js'
export { stem } from '../../comp/3-code-index/src/passages/stem.js'
