import { useInfiniteList } from '#src/api/infinite-list.ts'
import { savedViewListOptions } from '#src/api/saved-views.ts'
import type { SavedViewPage } from '#contract/saved-views.ts'
import { savedViewHref } from '#src/shared/saved-views/saved-view-links.ts'
import lines from '#src/ui/line-list.module.css'
import { Section } from '#src/ui/Section.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'

const pageNames: Record<SavedViewPage, string> = {
  experiments: 'Experiments',
  runs: 'Runs',
  reports: 'Reports',
  insights: 'Insights',
  context: 'Context',
  experimentRuns: 'Runs',
  experimentResults: 'Results',
}

/** The reader's favorite saved views; nothing if there are none. */
export function FavoriteViews() {
  const { rows } = useInfiniteList(savedViewListOptions())
  const favorites = rows?.filter(({ isFavorite }) => isFavorite) ?? []
  if (favorites.length === 0) return null
  return (
    <Section title="Favorite views">
      <ul className={lines.list}>
        {favorites.map((view) => (
          <li key={view.id} className={lines.row}>
            <span className={lines.what}>
              <TextLink href={savedViewHref(view)} className={lines.link}>
                {view.name}
              </TextLink>
            </span>
            <span className={lines.facts}>
              {pageNames[view.page]}
              {view.experimentId && ` of ${view.experimentId}`}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
