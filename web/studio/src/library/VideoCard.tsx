import { memo, useCallback, useEffect, useRef, useState, type ComponentProps, type MouseEvent } from "react";
import { Link } from "wouter";

import { here } from "../graph/address";
import { ago, clock, count, spoken } from "../text/format";
import { Away } from "../ui/Away";
import { classes } from "../ui/classes";
import { CopyButton } from "../ui/CopyButton";
import { Icon } from "../ui/Icon";
import { Menu, type Item } from "../ui/Menu";
import type { Row } from "./rows";
import { Slots } from "./slots";
import css from "./VideoCard.module.css";

type Props = {
  row: Row;
  /** The place in the list, from 1, and how long the list is; -1 while that is not known. */
  place: number;
  of: number;
  selected: boolean;
  selecting: boolean;
  onSelect: (id: string, range: boolean) => void;
  itemsFor: (row: Row) => Item[];
};

/** VideoCard is a video in the grid: a link with its picture and name, a checkbox, "Copy link", and a menu. */
export const VideoCard = memo(function VideoCard({ row, place, of, selected, selecting, onSelect, itemsFor }: Props) {
  const { video, spoken: found } = row;
  const [moving, setMoving] = useState(false);
  const at = found ? `?t=${(found.atMs / 1000).toFixed(1)}` : "";

  const about = found ? null : [video.creator.name, video.views > 0 && count(video.views, "view"), ago(video.updatedAt)].filter(Boolean).join(" · ");

  return (
    <li
      className={classes(css["card"], selected && css["selected"], selecting && css["selecting"])}
      aria-posinset={place}
      aria-setsize={of}
      onPointerEnter={(event) => event.pointerType === "mouse" && setMoving(true)}
      onPointerLeave={() => setMoving(false)}
      onFocus={(event) => event.target.matches(":focus-visible") && setMoving(true)}
      onBlur={() => setMoving(false)}
    >
      <div className={css["picture"]}>
        <Still address={video.thumbnails.medium.jpg} />
        {moving && <Moving address={video.thumbnails.medium.webp} />}
        <span className={css["length"]}>
          <span aria-hidden="true">{clock(found ? found.atMs : video.durationMs)}</span>
        </span>
      </div>
      <div className={css["text"]}>
        <h2 className={css["name"]}>
          <Link
            href={`/videos/${video.id}${at}`}
            className={css["link"]}
            onClick={(event: MouseEvent) => {
              if (!selecting || event.metaKey || event.ctrlKey) return;
              event.preventDefault();
              onSelect(video.id, event.shiftKey);
            }}
          >
            <bdi>{video.name}</bdi>
          </Link>
        </h2>
        {found ? (
          <p className={css["about"]}>
            <Away>Spoken at {spoken(found.atMs)}: </Away>“<bdi>{found.snippet}</bdi>”
          </p>
        ) : (
          <p className={css["about"]}>
            {video.settings.linkScope !== "PUBLIC" && <Icon name="lock" size={14} />}
            <span>{about}</span>
            {video.tags.nodes.slice(0, 5).map((tag) => (
              <i key={tag.id} className={css["dot"]} style={{ background: tag.color }} title={tag.name} />
            ))}
          </p>
        )}
      </div>
      <input
        type="checkbox"
        className={css["check"]}
        aria-label={`Select ${video.name}`}
        checked={selected}
        onChange={() => undefined}
        onClick={(event) => onSelect(video.id, event.shiftKey)}
      />
      <div className={css["tools"]}>
        <CopyButton compact look="plain" text={video.links.viewPage} said="Link copied">
          Copy link
        </CopyButton>
        <Menu label="More" icon="more" compact items={() => itemsFor(row)} />
      </div>
    </li>
  );
});

// Two connections are left for the graph while pictures are waited for.
const pictures = new Slots(4);

/** usePicture loads a picture in its turn, and no longer than it is shown. */
function usePicture(address: string | null): { at: string | null; broken: boolean; picture: Pick<ComponentProps<"img">, "ref" | "onLoad" | "onError"> } {
  const [turn, setTurn] = useState<string | null>(null);
  const [broken, setBroken] = useState<string | null>(null);
  const release = useRef<(() => void) | null>(null);

  // Without an address the browser stops loading it.
  const ref = useCallback(
    (img: HTMLImageElement | null) => () =>
      queueMicrotask(() => {
        if (!img?.isConnected) img?.removeAttribute("src");
      }),
    [],
  );

  useEffect(() => {
    if (!address) return;
    const leave = pictures.take(() => setTurn(address));
    release.current = leave;
    return leave;
  }, [address]);

  return {
    at: turn === address ? address : null,
    broken: broken === address,
    picture: {
      ref,
      onLoad: () => release.current?.(),
      onError() {
        release.current?.();
        setBroken(address);
      },
    },
  };
}

/** Still is the picture, or a neutral one until there is one. */
function Still({ address }: { address: string }) {
  const { at, broken, picture } = usePicture(here(address));
  if (broken) {
    return (
      <span className={css["none"]}>
        <Icon name="film" size={32} />
      </span>
    );
  }
  return at && <img {...picture} src={at} alt="" decoding="async" draggable={false} />;
}

/** Moving is a short film of the video, after the pointer has rested on it. */
function Moving({ address }: { address: string }) {
  const [rested, setRested] = useState(false);
  const [loaded, setLoaded] = useState(false);
  const { at, broken, picture } = usePicture(rested ? here(address) : null);

  useEffect(() => {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const timer = setTimeout(() => setRested(true), 180);
    return () => clearTimeout(timer);
  }, []);

  if (!at || broken) return null;
  return (
    <img
      {...picture}
      src={at}
      alt=""
      className={classes(css["moving"], loaded && css["loaded"])}
      draggable={false}
      onLoad={(event) => {
        picture.onLoad!(event);
        setLoaded(true);
      }}
    />
  );
}
