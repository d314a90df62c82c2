import "./style.css";
import { copying, saying } from "./page";
import { Player } from "./player";

for (const root of document.querySelectorAll<HTMLElement>("[data-player]")) new Player(root);
for (const button of document.querySelectorAll<HTMLButtonElement>("[data-copy]")) copying(button);
for (const section of document.querySelectorAll<HTMLElement>(".comments")) saying(section);
