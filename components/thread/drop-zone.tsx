'use client'

import { type DragEvent, type ReactNode, useRef, useState } from 'react'

/** Takes files that are dropped anywhere on the thread, and says so while they are held over it. */
export function DropZone({
  onFiles,
  children,
}: {
  /** without it none are taken */
  onFiles: ((files: File[]) => void) | undefined
  children: ReactNode
}) {
  const [over, setOver] = useState(false)
  // each element within tells that it is entered, before the last one tells that it is left
  const depth = useRef(0)
  const holdsFiles = ({ dataTransfer }: DragEvent) =>
    onFiles !== undefined && dataTransfer.types.includes('Files')
  const leave = () => {
    depth.current = 0
    setOver(false)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: by keyboard, files are attached with the button
    <div
      className="relative flex min-h-0 flex-1 flex-col"
      onDragEnter={(event) => {
        if (!holdsFiles(event)) return
        event.preventDefault()
        depth.current += 1
        setOver(true)
      }}
      onDragOver={(event) => {
        if (!holdsFiles(event)) return
        // without this the browser opens the file in place of the page
        event.preventDefault()
        event.dataTransfer.dropEffect = 'copy'
      }}
      onDragLeave={(event) => {
        if (!holdsFiles(event)) return
        depth.current -= 1
        if (depth.current <= 0) leave()
      }}
      onDrop={(event) => {
        if (!holdsFiles(event)) return
        event.preventDefault()
        leave()
        onFiles?.([...event.dataTransfer.files])
      }}
    >
      {children}
      {over && (
        <div className="pointer-events-none absolute inset-2 z-20 grid place-items-center rounded-xl border-2 border-accent border-dashed bg-canvas/85">
          <p className="font-medium text-lg">Drop files to attach</p>
        </div>
      )}
    </div>
  )
}
