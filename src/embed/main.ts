import '#src/no-eval.ts'
import '#src/tokens.css'
import '#src/charts/series.css'
import '#src/charts/result/result-chart.css'
import './published.css'
import './embed.css'
import { fetchPublished } from './fetch-published.ts'
import { refreshWhileVisible } from './refresh.ts'
import { createPage } from './show-answer.ts'

/** Public preview at the address of a published insight: plain elements, no framework, no cookies. */
const root = document.getElementById('root')
if (root) {
  followTheme(new URLSearchParams(globalThis.location.search).get('theme'))
  let refreshNow = () => {}
  const show = createPage(root, () => refreshNow())
  refreshNow = refreshWhileVisible({ load: (signal) => fetchPublished(globalThis.location.pathname, signal), show })
}

/** `?theme=light` or `dark` decides; without it the page follows the reader's system. */
function followTheme(requested: string | null) {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const apply = () => {
    const theme = requested === 'light' || requested === 'dark' ? requested : dark.matches ? 'dark' : 'light'
    // The palette's own attribute (src/tokens.css).
    document.documentElement.dataset['mantineColorScheme'] = theme
    document.documentElement.dataset['theme'] = theme
  }
  dark.addEventListener('change', apply)
  apply()
}
