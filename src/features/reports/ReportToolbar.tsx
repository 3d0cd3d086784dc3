import { ActionIcon, FileButton, Menu, Tooltip } from '@mantine/core'
import { IconBold, IconCode, IconItalic, IconPhoto, IconPlus } from '@tabler/icons-react'

import { imageTypes } from '#contract/report-images.ts'
import type { HeldPlace } from '#src/editor/held-places.ts'
import type { MarkdownInsert } from '#src/editor/insert-item.ts'
import type { MarkdownHandle } from '#src/editor/MarkdownEditor.tsx'
import mutedText from '#src/ui/muted-text.module.css'
import classes from './reports.module.css'

const marks = [
  { label: 'Bold', mark: '**', icon: IconBold },
  { label: 'Italic', mark: '_', icon: IconItalic },
  { label: 'Code', mark: '`', icon: IconCode },
] as const

type Props = {
  editor: MarkdownHandle | null
  inserts: readonly MarkdownInsert[]
  onImages: (files: readonly File[], place: HeldPlace) => void
}

export function ReportToolbar({ editor, inserts, onImages }: Props) {
  return (
    <div className={classes.toolbar} role="toolbar" aria-label="Format">
      {marks.map(({ label, mark, icon: Icon }) => (
        <Tooltip key={label} label={label}>
          <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={() => editor?.wrap(mark)}>
            <Icon size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      ))}
      <FileButton multiple accept={imageTypes.join(',')} onChange={(files) => editor && onImages(files, editor.hold())}>
        {(button) => (
          <Tooltip label="Image">
            <ActionIcon variant="subtle" color="gray" aria-label="Image" {...button}>
              <IconPhoto size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
      </FileButton>
      <Menu position="bottom-start" returnFocus={false}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label="Insert">
            <IconPlus size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown className={classes.inserts}>
          {inserts.map((item) => (
            <Menu.Item key={item.label + item.detail} onClick={() => editor?.insert(item)}>
              {item.label} <span className={mutedText.small}>{item.detail}</span>
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <span className={classes.hint}>Press / to insert, @ to mention</span>
    </div>
  )
}
