import '#src/no-eval.ts'
import '#src/fonts.css'
import '#src/tokens.css'
import './published.css'
import './embed.css'
import { printInLight } from '#src/ui/print-in-light.ts'
import { publishedReportPath } from '#contract/report-publications.ts'
import { fetchPublished } from './fetch-published.ts'
import { refreshWhileVisible } from './refresh.ts'
import { createPage } from './show-answer.ts'

/** The public page of a published insight or report: plain elements and no cookies. What draws its chart loads after them. */
const root = document.getElementById('root')
if (root) {
  printInLight()
  followTheme(new URLSearchParams(globalThis.location.search).get('theme'))
  if (globalThis.location.pathname.startsWith(publishedReportPath(''))) {
    // A visitor of an insight does not load the page of reports.
    void import('./show-report.ts').then(({ showReport }) => showReport(root))
  } else {
    let refreshNow = () => {}
    const show = createPage(root, () => refreshNow())
    refreshNow = refreshWhileVisible({ load: (signal) => fetchPublished(globalThis.location.pathname, signal), show })
  }
}

/** Uses `?theme=light` or `dark`, or else the visitor's system setting. */
function followTheme(requested: string | null) {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const apply = () => {
    const theme = requested === 'light' || requested === 'dark' ? requested : dark.matches ? 'dark' : 'light'
    // The attribute that selects the palette (src/tokens.css).
    document.documentElement.dataset['mantineColorScheme'] = theme
    document.documentElement.dataset['theme'] = theme
  }
  dark.addEventListener('change', apply)
  apply()
}
