<<<<<<<< HEAD:web/studio/dist/assets/Progress-CwTOVmYm.js
import{C as e}from"./index-D2vN9HPX.js";import{t}from"./jsx-runtime-C3cWAN_r.js";var n=t();function r({label:t,value:r}){return(0,n.jsx)(`progress`,{className:e.progress,"aria-label":t,...r!==null&&{value:Math.min(1,Math.max(0,r))},max:1})}export{r as t};
========
import{y as e}from"./index-R6VMdIev.js";import{t}from"./jsx-runtime-C3cWAN_r.js";var n=t();function r({label:t,value:r}){return(0,n.jsx)(`progress`,{className:e.progress,"aria-label":t,...r!==null&&{value:Math.min(1,Math.max(0,r))},max:1})}export{r as t};
>>>>>>>> f51cf4de (studio: keep headings of attempts in order):web/studio/dist/assets/Progress-C1zYYjjE.js
