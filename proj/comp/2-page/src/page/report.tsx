import { render } from 'preact'
import type { PageModel } from '../run-page-model.js'
import { PageShell } from './shell.js'

/** The page of a report: its data stands in the document. */
const data = document.getElementById('model')?.textContent ?? ''
const place = document.getElementById('page')
if (place) render(<PageShell model={JSON.parse(data) as PageModel} />, place)
