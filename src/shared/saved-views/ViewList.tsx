import { ActionIcon, Tooltip } from '@mantine/core'
import {
  IconHome,
  IconHomeFilled,
  IconPencil,
  IconStar,
  IconStarFilled,
  IconTrash,
  IconUsers,
  IconUsersMinus,
} from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'

import type { SavedView } from '#contract/saved-views.ts'
import { changeSavedView, removeSavedView, setMarks } from '#src/api/saved-views.ts'
import { confirm } from '#src/ui/confirm.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import lists from '#src/ui/lists.module.css'
import mutedText from '#src/ui/muted-text.module.css'
import { RenameView } from './RenameView.tsx'
import classes from './SavedViews.module.css'
import { savedViewHref } from './saved-view-links.ts'

/** Every view of the page, with what the reader may do with it. */
export const ViewList = ({ views, person }: { views: readonly SavedView[]; person: string }) => (
  <ul className={lists.plain} aria-label="Saved views">
    {views.map((view) => (
      <ViewItem key={view.id} view={view} isOwn={view.createdBy.id === person} />
    ))}
  </ul>
)

function ViewItem({ view, isOwn }: { view: SavedView; isOwn: boolean }) {
  const [isRenaming, setIsRenaming] = useState(false)
  const change = useMutation({ mutationFn: (act: () => Promise<unknown>) => act() })
  const { id: viewId, name, isFavorite, isDefault, isShared, canChange } = view
  const facts = [!isOwn && `by ${view.createdBy.name}`, isShared && isOwn && 'shared', isDefault && 'your default']
  const askToDelete = () =>
    confirm({
      title: `Delete the view “${name}”?`,
      lost: isShared ? 'Everyone in the organization loses it.' : 'Only the saved view is deleted.',
      verb: 'Delete view',
      onConfirm: () => change.mutate(() => removeSavedView(viewId)),
    })
  return (
    <li className={classes.item}>
      {isRenaming ? (
        <RenameView view={view} onDone={() => setIsRenaming(false)} />
      ) : (
        <span className={classes.name}>
          <TextLink href={savedViewHref(view)}>{name}</TextLink>
          <span className={mutedText.small}>{facts.filter(Boolean).join(' · ')}</span>
        </span>
      )}
      <span className={classes.actions}>
        <Act
          label={isFavorite ? `Remove ${name} from favorites` : `Add ${name} to favorites on Home`}
          onAct={() => change.mutate(() => setMarks({ viewId, isFavorite: !isFavorite }))}
        >
          {isFavorite ? <IconStarFilled size={15} className={classes.star} /> : <IconStar size={15} />}
        </Act>
        <Act
          label={isDefault ? `Remove ${name} as the default view` : `Make ${name} the default view`}
          onAct={() => change.mutate(() => setMarks({ viewId, isDefault: !isDefault }))}
        >
          {isDefault ? <IconHomeFilled size={15} /> : <IconHome size={15} />}
        </Act>
        {canChange && (
          <>
            <Act
              label={isShared ? `Stop sharing ${name}` : `Share ${name} with everyone in the organization`}
              onAct={() => change.mutate(() => changeSavedView({ viewId, isShared: !isShared }))}
            >
              {isShared ? <IconUsersMinus size={15} /> : <IconUsers size={15} />}
            </Act>
            <Act label={`Rename ${name}`} onAct={() => setIsRenaming(true)}>
              <IconPencil size={15} />
            </Act>
            <Act label={`Delete ${name}`} onAct={askToDelete}>
              <IconTrash size={15} />
            </Act>
          </>
        )}
      </span>
      {change.error && <ErrorNotice title="The view was not changed" error={change.error} />}
    </li>
  )
}

const Act = ({ label, onAct, children }: { label: string; onAct: () => void; children: ReactNode }) => (
  <Tooltip label={label}>
    <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={onAct}>
      {children}
    </ActionIcon>
  </Tooltip>
)
