import "./ui/base.css";

import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Provider } from "urql";

import { Shell } from "./app/Shell";
import { client } from "./graph/client";

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <Provider value={client}>
      <Shell />
    </Provider>
  </StrictMode>,
);
