import type { Place } from './compare-passage.js'
import { locate, placesOf } from './locate.js'

/** Where `content` stands in the middle of `text`, whole lines of it: text goes on before and after. */
export function excerptOf(text: string, content: string): Place | undefined {
  if (content.trim() === '') return undefined
  const places = placesOf(locate(text, content, { match: 'exact' }))
  const isInside = ({ start, end }: Place) => text.slice(0, start).trim() !== '' && text.slice(end).trim() !== ''
  return places.every(isInside) ? places[0] : undefined
}
